/** How an index answers, taken over by an experiment as far as the pages of a world have what the index goes by. */

import { isPreset, PRESET_NAMES } from '../../../analysis/analyzer.js'
import type { IndexStats, PresetName, ScoringModel, Workload } from '../../../index.js'
import type { LabScoring } from '../../quality/version-scores.js'
import { FIELDS } from '../../quality/word-counts.js'
import type { AskedQuery } from '../../worlds/generated-text.js'
import type { World, WorldPage } from '../../worlds/world.js'

/** Plain data: it is sent to threads, and is part of the question of a result file. */
export interface IndexAnswering {
  /** The name of its folder. */
  readonly index: string
  readonly analyzer: PresetName
  readonly model: ScoringModel
  /** Only of bm25. */
  readonly k1?: number
  /** Only of bm25. */
  readonly b?: number
  /** By field of the pages of a world: the field of the index that it stands for, null where the index has none. */
  readonly fields: Readonly<Record<(typeof FIELDS)[number], MappedField | null>>
  /** Fields of the index that the pages of a world do not have. */
  readonly leftOutFields: readonly string[]
  /** Only where documents have a weight. It is used where it is inlinks, and the folder of the world has links. */
  readonly weight?: {
    readonly property: string
    readonly alpha: number
    readonly beta: number
    readonly isUsed: boolean
  }
}

export interface MappedField {
  /** The name that the index has for it. */
  readonly name: string
  readonly boost: number
}

/** The names under which the text of a page is usually indexed, the likeliest first. */
const TEXT_NAMES = ['text', 'body', 'content']

/** The weight that the links of a world can stand for. */
const INLINKS = 'inlinks'

/**
 * `index`: the name of its folder. `hasLinks`: whether the folder of the world has links. RangeError for an index whose
 * answers a world cannot give: by words of another analyzer, of fields that pages do not have, or by a weight alone
 * that they do not have.
 */
export function answeringOf(
  index: string,
  { analyzer, scoring }: Pick<IndexStats, 'analyzer' | 'scoring'>,
  hasLinks: boolean,
): IndexAnswering {
  const { model, k1, b, boosts, weight } = scoring
  if (!isPreset(analyzer.name))
    throw new RangeError(
      `the lab reads words by the analyzers ${PRESET_NAMES.join(' and ')}, the index by ${analyzer.name}: ` +
        'its answers cannot be replayed',
    )
  const names = mappedNames(Object.keys(boosts))
  const fieldOf = (name: string | undefined) => (name === undefined ? null : { name, boost: boosts[name]! })
  const isUsed = weight?.property === INLINKS && hasLinks
  if (weight?.alpha === 0 && !isUsed)
    throw new RangeError(
      `the index scores by the weight ${weight.property} alone, which the pages of this world do not have: ` +
        `the lab knows weights that are called ${INLINKS}, from the links.ndjson.gz of the folder`,
    )
  return {
    ...{
      index,
      analyzer: analyzer.name,
      model,
      ...(k1 === undefined ? {} : { k1 }),
      ...(b === undefined ? {} : { b }),
    },
    fields: { title: fieldOf(names.title), text: fieldOf(names.text) },
    leftOutFields: Object.keys(boosts).filter((name) => name !== names.title && name !== names.text),
    ...(weight === undefined ? {} : { weight: { ...weight, isUsed } }),
  }
}

/** A field that is alone beside the title is the text, whatever its name. */
function mappedNames(names: readonly string[]): { readonly title?: string; readonly text?: string } {
  const title = names.find((name) => name === 'title')
  const others = names.filter((name) => name !== title)
  const text = TEXT_NAMES.find((name) => names.includes(name)) ?? (others.length === 1 ? others[0] : undefined)
  if (title === undefined && text === undefined)
    throw new RangeError(
      `pages of a world have a title and a text; of the fields of the index (${names.join(', ')}) none is called ` +
        `title, ${TEXT_NAMES.join(' or ')}`,
    )
  return { ...(title === undefined ? {} : { title }), ...(text === undefined ? {} : { text }) }
}

/** What the index does not index, its answers do not know: such a field is empty. */
export function asIndexed(world: World, { fields }: IndexAnswering): World {
  const absent = FIELDS.filter((field) => fields[field] === null)
  if (absent.length === 0) return world
  const nothing: Partial<WorldPage> = Object.fromEntries(absent.map((field) => [field, '']))
  return {
    async *[Symbol.asyncIterator]() {
      for await (const step of world)
        yield { ...step, versions: step.versions.map((page): WorldPage => ({ ...page, ...nothing })) }
    },
  }
}

/** `inlinks`: where the weight of the index is used. */
export function scoringAsIndexed(
  { model, k1, b, fields, weight }: IndexAnswering,
  inlinks: ReadonlyMap<string, number> | undefined,
): LabScoring {
  return {
    ...{ model, ...(k1 === undefined ? {} : { k1 }), ...(b === undefined ? {} : { b }) },
    boosts: { title: fields.title?.boost ?? 1, text: fields.text?.boost ?? 1 },
    ...(weight === undefined || inlinks === undefined ? {} : { alpha: weight.alpha, beta: weight.beta, inlinks }),
  }
}

/** What the heaviest query counts. */
const HEAVIEST = 1e6

/**
 * The heaviest queries of an index, counted by the heaviest one. All weights fade alike, so that these counts are the
 * same whenever they are asked for; nine digits hide what is left of the rounding. RangeError where there are none.
 */
export function askedOf(workload: Pick<Workload, 'privacy' | 'queries'>, limit: number): AskedQuery[] {
  if (workload.privacy === 'hash')
    throw new RangeError('the index keeps only hashes of queries, which the lab cannot ask')
  const queries = workload.queries({ limit })
  const heaviest = queries[0]?.weight
  if (heaviest === undefined) throw new RangeError('the index has learnt no query yet')
  return queries.map(({ query, weight }) => ({ query, count: Number((HEAVIEST * (weight / heaviest)).toPrecision(9)) }))
}

/** Sentences of a report. */
export function answeringNotes(answering: IndexAnswering): string[] {
  const { index, analyzer, model, k1, b, fields, leftOutFields, weight } = answering
  const parameters = k1 === undefined ? model : `${model} (k1 ${k1}, b ${b})`
  const mapped = FIELDS.map((field) => {
    const told = fields[field]
    return told === null ? `its documents have no ${field}` : `${field} is its field ${told.name} (boost ${told.boost})`
  })
  const left = leftOutFields.length === 1 ? 'field' : 'fields'
  return [
    `Scores are those of the index ${index}: ${parameters}, words by the analyzer ${analyzer}; ${mapped.join(', ')}.`,
    ...(leftOutFields.length === 0
      ? []
      : [`Left out: the ${left} ${leftOutFields.join(', ')} of the index, which pages of a world do not have.`]),
    ...(weight === undefined ? [] : [weightNote(weight)]),
  ]
}

function weightNote({ property, alpha, beta, isUsed }: IndexAnswering['weight'] & {}): string {
  if (isUsed) return `The inlinks of pages are added: ${alpha} · text + ${beta} · inlinks, as the index does.`
  const why =
    property === INLINKS ? 'the folder has no links.ndjson.gz' : `the lab knows only weights that are called ${INLINKS}`
  return `Left out: the weight ${property} of the index, because ${why}. Texts alone are scored.`
}
