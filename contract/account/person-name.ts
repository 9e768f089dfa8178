import { z } from 'zod/mini'
import { typedName } from './typed-text.ts'

/** Titles, ranks and degrees with their dots: ม.ล., ว่าที่ ร.ต., น.ส., ดร., ผศ.ดร., Mr. */
const TITLED =
  /^(?:(?:ว่าที่|(?:[ก-ฮ]{1,4}\.\s?){1,4})(?=\s*\S)|(?:mr|mrs|ms|miss|dr|prof|capt|col|gen|lt|sgt)\.)|(?:ม\.?(?:ร\.?ว|ล|จ)|ดร|ผศ|รศ|ศ)\.$/iu

const nameSchema = (what: string, example: string) =>
  z.string(`กรอก${what}`).check(
    z.overwrite(typedName),
    z.minLength(1, `กรอก${what}`),
    z.maxLength(200, `${what}ยาวได้ไม่เกิน 200 ตัวอักษร`),
    z.refine((name) => !TITLED.test(name), `ไม่ต้องใส่คำนำหน้า ยศ หรือตำแหน่ง ใส่เฉพาะ${what} เช่น ${example}`),
    // Excludes paiyannoi, digits and symbols of the Thai block, which are not letters.
    z.regex(/^[A-Za-zก-ฮะ-ฺเ-๎ ]*$/u, `${what}ใช้ได้เฉพาะตัวอักษรไทยหรืออังกฤษและเว้นวรรค`),
    z.refine((name) => name === '' || name.replaceAll(' ', '').length >= 2, `${what}ต้องมีอย่างน้อย 2 ตัวอักษร`),
  )

export const firstNameSchema = nameSchema('ชื่อ', 'สมชาย')
export const lastNameSchema = nameSchema('นามสกุล', 'ใจดี')
