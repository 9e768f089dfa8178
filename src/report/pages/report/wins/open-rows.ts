/** Opens the projects behind a figure; `rows` is the URL parameter (contract/market/who-wins.ts). */
export type OpenWinRowsFn = (rows: string) => void
