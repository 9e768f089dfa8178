import { key } from '../keyboard/keys.ts'
import type { row } from './row.ts'

export const cell = (later?: typeof row): string => later?.() ?? key
