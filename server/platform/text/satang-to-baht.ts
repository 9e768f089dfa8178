/** Converts an amount to baht, rounded to whole satang because a median may lie between two amounts. Null is unknown. */
export const satangToBaht = (satang: number | null): number | null =>
  satang === null ? null : Math.round(satang) / 100
