/** Opens the projects behind a figure: `rows` of the address (contract/market/who-wins.ts). */
export type OpenRows = (rows: string) => void
