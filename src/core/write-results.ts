/**
 * What the core says of a write and of a fit, as objects of this module. V8 forgets the form of objects that the addon
 * has made as soon as none of them is alive, and with it all code that was compiled for that form: of an index that is
 * written to once a minute, each collection of garbage would have the whole way of a write compiled anew.
 */
import type { BatchMeasure, Fitted, PreparedBatch, Published } from '../engine.js'

export function preparedBatch(given: PreparedBatch): PreparedBatch {
  return {
    counts: given.counts,
    numbers: given.numbers,
    row: given.row,
    memoryBytes: given.memoryBytes,
    documents: given.documents,
    targets: given.targets,
    outcomes: given.outcomes,
    sketches: given.sketches,
    measure: given.measure === undefined ? undefined : batchMeasure(given.measure),
    indexUs: given.indexUs,
    measureUs: given.measureUs,
    sketchUs: given.sketchUs,
  }
}

export function batchMeasure(given: BatchMeasure): BatchMeasure {
  return {
    pages: given.pages,
    deltaQuality: given.deltaQuality,
    stakes: given.stakes,
    effectEnds: given.effectEnds,
    effects: given.effects,
    measureUs: given.measureUs,
    skippedWeight: given.skippedWeight,
    measuredShare: given.measuredShare,
    shifts: given.shifts,
    normShifts: given.normShifts,
    answeredShare: given.answeredShare,
    keptShifts: given.keptShifts,
  }
}

export function publishedBatch({ indexUs, measureUs, fitNeed }: Published): Published {
  return { indexUs, measureUs, fitNeed }
}

export function fittedCurves(given: Fitted): Fitted {
  return {
    epoch: given.epoch,
    queries: given.queries,
    fitted: given.fitted,
    answers: given.answers,
    fitUs: given.fitUs,
    curveBytes: given.curveBytes,
    memoryBytes: given.memoryBytes,
    unansweredShare: given.unansweredShare,
    documents: given.documents,
    stakes: given.stakes,
    statistics: given.statistics,
    ids: given.ids,
    bytes: given.bytes,
    ends: given.ends,
    removed: given.removed,
  }
}
