import { date } from '#src/lib/date.ts'
export const app = date
