/** What became of an import of the directory of agencies. */
export type DirectoryReport = {
  /** Rows of the file, those that could not be read included. */
  readonly read: number
  readonly broken: number
  /** Names stored: agencies of one name are one. */
  readonly agencies: number
  readonly ministries: number
  readonly seconds: number
}
