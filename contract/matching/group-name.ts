import { z } from 'zod/mini'
import { MAX_GROUP_NAME_LENGTH } from './keyword.ts'

export const keywordGroupNameSchema = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'ตั้งชื่อกลุ่ม'),
    z.maxLength(MAX_GROUP_NAME_LENGTH, `ชื่อกลุ่มยาวได้ไม่เกิน ${MAX_GROUP_NAME_LENGTH} ตัวอักษร`),
  )
