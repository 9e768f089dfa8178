/** Returns 0 to `count - 1`. */
export const indexRange = (count: number): number[] => [...Array(count).keys()]
