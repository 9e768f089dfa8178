/** Presets of the report's `ends_within`, shown with their project counts. Any value from 1 to 730 days is accepted. */
export const CONTRACT_END_PRESET_DAYS = [30, 60, 90, 180] as const
export const MAX_CONTRACT_END_COUNT_DAYS = 180
