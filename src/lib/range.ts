/** Returns 0 to `count - 1`. */
export const range = (count: number): number[] => [...Array(count).keys()]
