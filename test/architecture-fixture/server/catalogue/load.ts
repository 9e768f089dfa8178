import { match } from '#server/matching/match.ts'
export const load = match
