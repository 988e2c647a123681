import { readClusters } from '../catalog/cluster-rows.js'
import { frontierSize, frontierVersion, readFrontier, readLessons } from '../catalog/frontier-rows.js'
import {
  documentsWithoutRow,
  hasRefreshTables,
  lastDocument,
  readEffects,
  readKeys,
  readLedger,
  readQuestions,
  readWorkload,
  refreshVersion,
} from '../catalog/refresh-rows.js'
import { readReviewDays } from '../catalog/review-rows.js'
import { readSignals } from '../catalog/signal-rows.js'
import type { StoredView } from '../catalog/stored-view.js'
import type { StoredRefresh } from './storage.js'

/** The refresh history in a catalog, as of the moment that `view` shows when asked. */
export function storedRefresh(view: () => StoredView): StoredRefresh {
  // A catalog of the first format, opened for reading, is left as it is and has no history.
  const isThere = () => hasRefreshTables(view().db)
  return {
    get version() {
      return isThere() ? refreshVersion(view().db) : 0
    },
    rows: (portion) => (isThere() ? readLedger(() => view().db, portion) : []),
    lastDocument: () => lastDocument(view().db),
    documentsWithoutRow: () => (isThere() ? documentsWithoutRow(view().db) : []),
    keys: (portion) => (isThere() ? readKeys(() => view().db, portion) : []),
    signals: () => readSignals(view().db),
    clusters: () => readClusters(view().db),
    reviewDays: () => readReviewDays(view().db),
    questions: () => readQuestions(view().db),
    effectsOf: (doc) => readEffects(view().db, doc),
    workload: () =>
      isThere() ? readWorkload(view().db) : { queries: [], nextQueryId: 1, privacy: 'text', clicks: [] },
    frontier: {
      get version() {
        return frontierVersion(view().db)
      },
      size: () => frontierSize(view().db),
      rows: (portion) => readFrontier(() => view().db, portion),
      lessons: () => readLessons(view().db),
    },
  }
}
