import { date } from '#src/helpers/date.ts'
export const button = date
