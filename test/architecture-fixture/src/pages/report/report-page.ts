export { row } from './table/row.ts'
