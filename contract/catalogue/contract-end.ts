/** Days ahead that the report's `ends_within` is offered for, with how many projects each would find. Any from 1 to 730 is answered. */
export const ENDS_WITHIN = [30, 60, 90, 180] as const
export const MOST_DAYS_COUNTED = 180
