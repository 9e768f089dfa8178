import { z } from 'zod/mini'

/** Thai or English letters and spaces, trimmed, at least two characters that are no space, at most 200. */
const nameSchema = (what: string) =>
  z.string(`กรอก${what}`).check(
    z.trim(),
    z.minLength(1, `กรอก${what}`),
    z.maxLength(200, `${what}ยาวได้ไม่เกิน 200 ตัวอักษร`),
    // Without paiyannoi, digits and signs of the Thai block: they are no letters.
    z.regex(/^[A-Za-zก-ฮะ-ฺเ-๎ ]*$/u, `${what}ใช้ได้เฉพาะตัวอักษรไทยหรืออังกฤษและเว้นวรรค`),
    z.refine((name) => name === '' || name.replaceAll(' ', '').length >= 2, `${what}ต้องมีอย่างน้อย 2 ตัวอักษร`),
  )

/** A user's names, at registration and in the settings. */
export const firstNameSchema = nameSchema('ชื่อ')
export const lastNameSchema = nameSchema('นามสกุล')
