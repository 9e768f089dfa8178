import { z } from 'zod/mini'
import { MAX_LABEL_NAME_LENGTH } from './label.ts'
import { MAX_SAVED_FILTER_NAME_LENGTH } from './saved-filter.ts'

/**
 * A separate file, because every screen loads `label.ts` and `saved-filter.ts`, and the length checks of zod would make
 * them larger.
 */
export const labelNameSchema = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'ตั้งชื่อป้ายก่อน'),
    z.maxLength(MAX_LABEL_NAME_LENGTH, `ชื่อป้ายกำกับยาวได้ไม่เกิน ${MAX_LABEL_NAME_LENGTH} ตัวอักษร`),
  )

export const savedFilterNameSchema = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'ตั้งชื่อตัวกรอง'),
    z.maxLength(MAX_SAVED_FILTER_NAME_LENGTH, `ชื่อตัวกรองยาวได้ไม่เกิน ${MAX_SAVED_FILTER_NAME_LENGTH} ตัวอักษร`),
  )
