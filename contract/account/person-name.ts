import { z } from 'zod/mini'
import { normaliseName } from './typed-text.ts'

/** Titles, ranks and degrees with their dots: ม.ล., ว่าที่ ร.ต., น.ส., ดร., ผศ.ดร., Mr. */
const TITLE_PATTERN =
  /^(?:(?:ว่าที่|(?:[ก-ฮ]{1,4}\.\s?){1,4})(?=\s*\S)|(?:mr|mrs|ms|miss|dr|prof|capt|col|gen|lt|sgt)\.)|(?:ม\.?(?:ร\.?ว|ล|จ)|ดร|ผศ|รศ|ศ)\.$/iu

const nameSchema = (fieldLabel: string, example: string) =>
  z.string(`กรอก${fieldLabel}`).check(
    z.overwrite(normaliseName),
    z.minLength(1, `กรอก${fieldLabel}`),
    z.maxLength(200, `${fieldLabel}ยาวได้ไม่เกิน 200 ตัวอักษร`),
    z.refine((name) => !TITLE_PATTERN.test(name), `ไม่ต้องใส่คำนำหน้า ยศ หรือตำแหน่ง ใส่เฉพาะ${fieldLabel} เช่น ${example}`),
    // The pattern excludes paiyannoi, Thai digits and symbols, which are in the Thai Unicode block but are not letters.
    z.regex(/^[A-Za-zก-ฮะ-ฺเ-๎ ]*$/u, `${fieldLabel}ใช้ได้เฉพาะตัวอักษรไทยหรืออังกฤษและเว้นวรรค`),
    z.refine((name) => name === '' || name.replaceAll(' ', '').length >= 2, `${fieldLabel}ต้องมีอย่างน้อย 2 ตัวอักษร`),
  )

export const firstNameSchema = nameSchema('ชื่อ', 'สมชาย')
export const lastNameSchema = nameSchema('นามสกุล', 'ใจดี')
