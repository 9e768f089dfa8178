import { cell } from './cell.ts'

export const page = () => import('../report-page.ts')
export const row = (): string => cell()
