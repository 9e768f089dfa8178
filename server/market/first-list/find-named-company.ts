import { parseCompanyTaxId } from '#contract/catalogue/company-name.ts'
import { hasValidThaiIdCheckDigit, looksLikePersonName, parseTaxId } from '#contract/catalogue/natural-person.ts'
import type { CompanyRef } from '#contract/market/company.ts'
import { normaliseThai } from '#contract/thai/thai-text.ts'
import { findCompanies } from '#server/market/company/find-company.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'

const NUMBER = /^[\d .–-]+$/
const TAX_ID_LENGTH = 13

function refuse(text: string): never {
  throw new ProblemError('bad_input', { text, fields: { company: [text] } })
}

/** Checks the number before any query, so that a person's id never reaches the database or the logs. */
function checkTaxId(text: string): string | undefined {
  const typed = normaliseThai(text)
  if (!NUMBER.test(typed)) return undefined
  const digits = typed.replace(/\D/g, '')
  if (digits.length !== TAX_ID_LENGTH)
    return refuse(`เลขประจำตัวผู้เสียภาษีมี 13 หลัก ที่พิมพ์มามี ${digits.length} หลัก ตรวจอีกครั้ง หรือพิมพ์ชื่อบริษัทแทน`)
  if (parseTaxId(digits).kind === 'person')
    return refuse(
      'เลขนี้เป็นเลขประจำตัวของบุคคล ระบบไม่ค้นและไม่เก็บเลขของบุคคล ใส่เลขนิติบุคคลที่ขึ้นต้นด้วย 0 พิมพ์ชื่อร้าน หรือเลือก “ยังไม่เคยได้งานรัฐ”',
    )
  if (!hasValidThaiIdCheckDigit(digits)) return refuse('เลขไม่ถูกต้อง หลักสุดท้ายไม่ตรงกับหลักอื่น ตรวจว่าพิมพ์สลับหรือตกหลักไหน')
  return parseCompanyTaxId(digits)
}

export async function findNamedCompany(
  db: Db,
  text: string,
): Promise<{ company: CompanyRef | null; similar: readonly CompanyRef[] }> {
  if (text.trim() === '') return refuse('ใส่เลขประจำตัวผู้เสียภาษี 13 หลัก หรือชื่อบริษัท')
  const taxId = checkTaxId(text)
  if (taxId === undefined && looksLikePersonName(text))
    return refuse('ชื่อนี้เป็นชื่อบุคคล ระบบไม่ค้นชื่อบุคคล พิมพ์ชื่อบริษัท ห้าง หรือร้าน หรือเลือก “ยังไม่เคยได้งานรัฐ”')
  const [found] = await findCompanies(db, [taxId ?? text.trim()])
  return { company: found?.company ?? null, similar: taxId === undefined ? (found?.similar ?? []) : [] }
}
