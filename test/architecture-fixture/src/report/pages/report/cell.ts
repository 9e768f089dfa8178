import type { row } from './row.ts'

export const cell = (later?: typeof row): string => later?.() ?? ''
export const page = () => import('../../star.ts')
