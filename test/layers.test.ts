/** The rules of the house that a compiler does not check. Each reads the tree as it is and lists every offender. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = JSON.parse(read('package.json'))
const CORE_LAYERS = ['base', 'analysis', 'index', 'score', 'quality', 'ledger', 'node']

/**
 * What each folder of src may import, types included; a root file and `frontier/impact` are nodes of their own. A file
 * named in full is the only one of its folder that may be imported. The graph has no cycle: see the test below.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  base: [],
  math: ['base'],
  analysis: ['base'],
  search: ['base'],
  workload: ['base'],
  options: ['base', 'analysis', 'search'],
  links: ['base'],
  change: ['base', 'math'],
  clusters: ['base', 'math'],
  schedule: ['base', 'math', 'change'],
  'frontier/impact': ['base', 'math', 'workload'],
  'engine.ts': ['base', 'workload'],
  // Rows are copied by the addon.
  ledger: ['base', 'change', 'engine.ts', 'core/addon.ts'],
  frontier: ['base', 'math', 'workload', 'frontier/impact', 'engine.ts'],
  refresh: [
    ...['base', 'math', 'search', 'workload', 'change', 'clusters', 'schedule', 'ledger', 'frontier', 'engine.ts'],
  ],
  plan: ['base', 'math', 'search', 'refresh', 'frontier'],
  core: ['base', 'math', 'analysis', 'search', 'options', 'links', 'engine.ts'],
  write: ['base', 'options', 'links', 'core', 'refresh', 'engine.ts'],
  catalog: [
    ...['base', 'analysis', 'options', 'links', 'workload', 'ledger', 'frontier', 'refresh', 'engine.ts'],
    // The clock of a thread is the addon's.
    ...['core/binding.ts', 'core/thread-clock.ts'],
  ],
  'snapshot.ts': ['base', 'search', 'core'],
  storage: [
    ...['base', 'analysis', 'change', 'options', 'links', 'workload', 'ledger', 'frontier', 'refresh'],
    ...['core', 'write', 'catalog', 'engine.ts', 'snapshot.ts'],
  ],
  'prioritizer.ts': ['base', 'workload', 'ledger', 'refresh', 'frontier', 'plan', 'write', 'engine.ts'],
  'no-prioritizer.ts': ['base', 'workload', 'refresh', 'frontier', 'write', 'engine.ts', 'prioritizer.ts'],
  'freshdex.ts': [
    ...['base', 'analysis', 'search', 'options', 'core', 'write', 'storage', 'workload', 'plan', 'refresh', 'frontier'],
    ...['prioritizer.ts', 'no-prioritizer.ts', 'snapshot.ts'],
  ],
  'index.ts': [
    ...['base', 'analysis', 'search', 'options', 'links', 'workload', 'ledger', 'refresh', 'frontier', 'plan', 'core'],
    ...['write', 'storage', 'prioritizer.ts', 'snapshot.ts', 'freshdex.ts'],
  ],
  lab: [
    ...['base', 'math', 'change', 'clusters', 'schedule', 'workload', 'frontier/impact', 'index.ts'],
    // The lab counts words of whole histories, for which it asks the core for tokens without an index.
    ...['core', 'options', 'analysis/analyzer.ts'],
    // A chooser of the lab is a policy of the product that knows what the lab knows.
    ...['ledger/ledger.ts', 'refresh/policies/registry.ts', 'refresh/policies/policy.ts'],
  ],
  cli: [
    ...['base', 'index.ts', 'schedule/index.ts', 'lab', 'workload/query-lines.ts'],
    // Names and limits that the command line says in its own words.
    ...['analysis/analyzer.ts', 'search/search-options.ts', 'ledger/signals.ts', 'frontier/frontier-page.ts'],
    ...['refresh/clusters/cluster-rows.ts', 'storage/open.ts'],
  ],
}

/** Folders of mathematics and policies, which read no clock and draw no random number. */
const PURE_FOLDERS = [
  ...['math', 'change', 'schedule', 'clusters', 'frontier/impact', 'workload', 'ledger', 'plan'],
  ...['refresh/policies', 'refresh/model', 'refresh/signals/readers'],
]

describe('the C++ layers', () => {
  const units = filesBelow('native', /\.(?:cc|h)$/)

  it('lie in the folder of a layer', () => {
    expect(units.filter((file) => !CORE_LAYERS.includes(layerOf(file)))).toEqual([])
  })

  it('include only what is below them', () => {
    const offenders = units.flatMap((file) =>
      includesOf(file)
        .filter((include) => include.startsWith('native/'))
        .filter((include) => CORE_LAYERS.indexOf(layerOf(include)) > CORE_LAYERS.indexOf(layerOf(file)))
        .map((include) => `${file} includes ${include}`),
    )
    expect(offenders).toEqual([])
  })

  it('name their own headers from the root of the repository', () => {
    const offenders = units.flatMap((file) =>
      [...withoutComments(file).matchAll(/^\s*#\s*include\s*"([^"]+)"/gm)]
        .map(([, include = '']) => include)
        .filter((include) => !existsSync(path.join(root, include)))
        .map((include) => `${file} includes "${include}"`),
    )
    expect(offenders).toEqual([])
  })

  it('see Node only in node/', () => {
    const offenders = units
      .filter((file) => layerOf(file) !== 'node')
      .flatMap((file) =>
        includesOf(file)
          .filter((include) => /^(?:napi|node|node_api|js_native_api|uv|v8)\b.*\.h$/.test(include))
          .map((include) => `${file} includes ${include}`),
      )
    expect(offenders).toEqual([])
  })

  it('read no clock and draw no random number below node/', () => {
    const ambient = [
      /\b(?:steady|system|high_resolution|file|utc)_clock\b/,
      /\b(?:clock_gettime|gettimeofday|timespec_get|localtime|gmtime)\b/,
      /\b(?:std::|::)?(?:time|clock)\(\s*(?:nullptr|NULL|0)?\s*\)/,
      /\brandom_device\b/,
      /(?<![.>\w])(?:std::|::)?(?:s?rand|[dlm]rand48)\s*\(/,
    ]
    const offenders = units
      .filter((file) => layerOf(file) !== 'node')
      .flatMap((file) => {
        const code = withoutComments(file)
        return ambient.flatMap((pattern) => {
          const found = pattern.exec(code)
          return found === null ? [] : [`${file}: ${found[0]}`]
        })
      })
    expect(offenders).toEqual([])
  })
})

describe('the TypeScript modules', () => {
  const modules = filesBelow('src', /\.ts$/)

  it('import only what their folder may', () => {
    const offenders = modules.flatMap((file) => {
      const from = nodeOf(file)
      return importsOf(file)
        .filter((target) => target.startsWith('src/') && nodeOf(target) !== from)
        .filter(
          (target) => !ALLOWED[from]?.some((allowed) => allowed === nodeOf(target) || `src/${allowed}` === target),
        )
        .map((target) => `${file} imports ${target}`)
    })
    expect(offenders).toEqual([])
  })

  it('may not import in circles', () => {
    const finished = new Set<string>()
    const circles: string[] = []
    const visit = (node: string, path: readonly string[]) => {
      if (path.includes(node)) circles.push([...path, node].join(' → '))
      if (path.includes(node) || finished.has(node)) return
      for (const next of ALLOWED[node] ?? []) visit(nodeOf(`src/${next}`), [...path, node])
      finished.add(node)
    }
    for (const node of Object.keys(ALLOWED)) visit(node, [])
    expect(circles).toEqual([])
  })

  it('load what only folders need when a folder is opened, and what only experiments need not at all', () => {
    const reached = new Set(['src/index.ts'])
    for (const file of reached) for (const target of valuesImportedBy(file)) if (target !== file) reached.add(target)
    const late = /^(?:better-sqlite3|src\/(?:catalog|lab|schedule|cli)\/|src\/storage\/(?:disk|follower|salvage)\b)/
    expect([...reached].filter((target) => late.test(target))).toEqual([])
    // The walk follows imports, so that it would see them.
    expect([...reached]).toEqual(expect.arrayContaining(['src/storage/memory.ts', 'src/core/binding.ts', 'msgpackr']))
  })

  it('have no edge allowed that none of them uses', () => {
    const used = new Set(
      modules.flatMap((file) =>
        importsOf(file).flatMap((target) => [
          `${nodeOf(file)} → ${nodeOf(target)}`,
          `${nodeOf(file)} → ${target.replace(/^src\//, '')}`,
        ]),
      ),
    )
    const unused = Object.entries(ALLOWED).flatMap(([from, targets]) =>
      targets.map((target) => `${from} → ${target}`).filter((edge) => !used.has(edge)),
    )
    expect(unused).toEqual([])
  })

  it('load the addon in one place, and its clock in another', () => {
    const offenders = modules
      .filter((file) => file !== 'src/core/addon.ts' && file !== 'src/core/thread-clock.ts')
      .filter((file) => /\bnode-gyp-build\b|\bdlopen\b|\.node['"`]/.test(withoutComments(file)))
    expect(offenders).toEqual([])
  })

  it('run another program in one place, and themselves in another', () => {
    const starters = modules.filter((file) => importsOf(file).includes('node:child_process'))
    expect(starters).toEqual(['src/cli/bench/run.ts', 'src/lab/worlds/git-process.ts'])
  })

  it('open files and databases of an index where links and pipes are refused', () => {
    const inside = modules.filter((file) => /^src\/(?:base|catalog|storage)\//.test(file))
    const openers = (pattern: RegExp) => inside.filter((file) => pattern.test(withoutComments(file)))
    // A folder is opened to be synced, and a database in memory is no file.
    expect(openers(/\bopenSync\(/)).toEqual(['src/base/plain-files.ts', 'src/storage/folder.ts'])
    expect(openers(/\bnew Database\(/)).toEqual(['src/catalog/connection.ts', 'src/catalog/own-schema.ts'])
  })

  it('know nothing of tests and benchmarks', () => {
    expect(importsInto(modules, (target) => /^(?:test|bench)\//.test(target) || target.startsWith('..'))).toEqual([])
  })

  it('need no package that users do not get', () => {
    const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
    const foreign = (target: string) => isPackage(target) && !installed.includes(packageOf(target))
    expect(importsInto(modules, (target) => foreign(target) && target !== 'freshdex')).toEqual([])
  })

  it('let policies see their interface and pure modules only', () => {
    const allowed = /^src\/(?:base|math|change|clusters|ledger|refresh\/model|refresh\/policies)\//
    const policies = filesBelow('src/refresh/policies', /\.ts$/)
    expect(importsInto(policies, (target) => !allowed.test(target))).toEqual([])
  })
})

describe('policies and mathematics', () => {
  const pure = PURE_FOLDERS.flatMap((folder) => filesBelow(`src/${folder}`, /\.ts$/))

  it('read no clock and draw no random number', () => {
    const ambient = /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\b|\bMath\.random\b|\bprocess\b|\bcrypto\b/
    expect(pure.filter((file) => ambient.test(withoutComments(file)))).toEqual([])
  })
})

describe('the benchmarks', () => {
  it('use the public entries, their own files and declared packages', () => {
    const declared = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
    const allowed = (target: string) =>
      /^(?:freshdex(?:\/\w+)?$|node:|bench\/)/.test(target) || declared.includes(packageOf(target))
    // Parts that no entry shows, and the files that may load them.
    const insiders: Record<string, string> = {
      'bench/library-parts.ts': 'dist/',
      'bench/experiment-parts.ts': 'dist/',
    }
    const benches = filesBelow('bench', /\.ts$/).filter((file) => !Object.hasOwn(insiders, file))
    expect(importsInto(benches, (target) => !allowed(target))).toEqual([])
    for (const [insider, place] of Object.entries(insiders)) {
      expect(importsInto([insider], (target) => !target.startsWith(place))).toEqual([])
    }
  })
})

describe('the tree', () => {
  const texts = [
    ...readdirSync(root).filter((name) => /\.(?:md|json)$/.test(name) && name !== 'package-lock.json'),
    ...['.ci', 'src', 'native', 'bench', 'test', 'docs'].flatMap((folder) =>
      filesBelow(folder, /(?:\.(?:ts|mts|mjs|js|cc|h|gyp|json|md|css|html|sql|java|py|sh)|\/Makefile|\/run)$/),
    ),
  ]

  it('has no dead link in its documents', () => {
    const offenders = texts
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) =>
        linksOf(file)
          .filter((link) => !existsSync(path.join(root, path.dirname(file), decodeURI(link))))
          .map((link) => `${file} points to ${link}`),
      )
    expect(offenders).toEqual([])
  })

  it('has no room without a name', () => {
    expect(texts.filter((file) => /(?:^|\/)(?:utils?|helpers?|types|misc|common)\.\w+$/.test(file))).toEqual([])
  })

  it('has no line of code over 120 characters', () => {
    const offenders = texts
      .filter((file) => /\.(?:ts|mts|mjs|cc|h)$/.test(file))
      .flatMap((file) =>
        read(file)
          .split('\n')
          .flatMap((line, at) => ([...line].length > 120 ? [`${file}:${at + 1}`] : [])),
      )
    expect(offenders).toEqual([])
  })

  it('mentions no path of a machine', () => {
    const machinePath = /(?<![\w.])\/(?:home|root|tmp|Users)\/\w/
    const offenders = texts.flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, at) => (machinePath.test(line) ? [`${file}:${at + 1}`] : [])),
    )
    expect(offenders).toEqual([])
  })
})

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8')
}

/** Paths from the root of the repository, with '/', of what was written by hand below a folder. */
function filesBelow(folder: string, pattern: RegExp): string[] {
  if (!existsSync(path.join(root, folder))) return []
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((file) => pattern.test(file) && !/^native\/build\/|\/\.build\/|\/node_modules\//.test(file))
    .sort()
}

/**
 * src/refresh/model/rates.ts belongs to 'refresh', src/frontier/impact/ngrams.ts to 'frontier/impact', src/engine.ts to
 * itself.
 */
function nodeOf(file: string): string {
  const inside = file.replace(/^src\//, '')
  if (inside.startsWith('frontier/impact')) return 'frontier/impact'
  return inside.split('/')[0] ?? ''
}

/** native/index/ids.h lies in 'index'. */
function layerOf(file: string): string {
  return file.split('/')[1] ?? ''
}

function includesOf(file: string): string[] {
  return [...withoutComments(file).matchAll(/^\s*#\s*include\s*["<]([^">]+)[">]/gm)].map(([, include = '']) => include)
}

function withoutComments(file: string): string {
  return read(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
}

/** What a module names in import, export … from and import(): relative ones as paths from the root, with .ts. */
function importsOf(file: string): string[] {
  return ts
    .preProcessFile(read(file), true, true)
    .importedFiles.map(({ fileName }) =>
      fileName.startsWith('.') ? path.posix.join(path.posix.dirname(file), fileName).replace(/\.js$/, '.ts') : fileName,
    )
}

/** The same without types and without import(): what is loaded together with the module. */
function valuesImportedBy(file: string): string[] {
  if (!file.startsWith('src/')) return []
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest)
  return source.statements
    .filter((node) => ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
    .filter((node) => !isTypeOnly(node))
    .flatMap(({ moduleSpecifier }) =>
      moduleSpecifier === undefined ? [] : [(moduleSpecifier as ts.StringLiteral).text],
    )
    .map((name) =>
      name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name).replace(/\.js$/, '.ts') : name,
    )
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  const clause = ts.isImportDeclaration(node) ? node.importClause : node
  const list = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause
  if (clause === undefined) return false
  if (clause.isTypeOnly) return true
  if (ts.isImportDeclaration(node) && node.importClause?.name !== undefined) return false
  return list !== undefined && 'elements' in list && list.elements.every(({ isTypeOnly }) => isTypeOnly)
}

function importsInto(files: readonly string[], unwanted: (target: string) => boolean): string[] {
  return files.flatMap((file) =>
    importsOf(file)
      .filter(unwanted)
      .map((target) => `${file} imports ${target}`),
  )
}

function isPackage(target: string): boolean {
  return !/^(?:node:|src\/|test\/|bench\/|\.)/.test(target)
}

/** '@scope/name/file.js' and 'name/file.js' belong to '@scope/name' and 'name'. */
function packageOf(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/')
}

/** Targets of relative links, without their anchors; code in a document is not a link. */
function linksOf(file: string): string[] {
  const prose = read(file)
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '')
  const inline = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)]
  const reference = [...prose.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)]
  return [...inline, ...reference]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(target))
}
