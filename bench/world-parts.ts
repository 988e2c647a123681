/** The readers of snapshot folders that the lab has. */
export {
  type AskedQuery,
  readFolderQueries,
  readPageVersions,
  readWeekHistory,
  textBytes,
  type Week,
  type WeekHistory,
  type WorldPage,
} from 'freshdex/lab'
