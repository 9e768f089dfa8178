import { match } from '#server/features/matching/match.ts'
export const load = match
