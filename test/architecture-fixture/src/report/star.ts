import { row } from './pages/report/row.ts'
export const star = row
