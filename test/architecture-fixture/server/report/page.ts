import { columns } from './engine/columns.ts'
export const page = columns
