const DAY_ZERO = Date.UTC(2000, 0, 1)
const DAY_MS = 86_400_000

/** Converts a date to days since 2000-01-01, as columns in memory and packed rows store it. */
export const toDayNumber = (isoDate: string): number => (Date.parse(isoDate) - DAY_ZERO) / DAY_MS

export const formatDayNumber = (day: number): string => new Date(DAY_ZERO + day * DAY_MS).toISOString().slice(0, 10)
