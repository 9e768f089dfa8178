/** Opens the projects behind a figure; `rows` is the URL parameter (contract/market/who-wins.ts). */
export type OpenWhoWinsProjectsFn = (rows: string) => void
