import { gradeText, type Qualifications, SME_CLASSES } from '#contract/account/qualification.ts'
import type { RequirementAnswer, RequirementKind } from '#contract/documents/requirement.ts'
import { fold } from '#server/documents/facts/folded-text.ts'
import { findAmounts, findPercents } from '#server/documents/facts/values.ts'
import { judgeCertificates, namedCertificate } from './judge-certificates.ts'
import { judgePastWork } from './judge-past-work.ts'
import { judgePeople } from './judge-people.ts'
import { ask, bahtText, has, type Judged, leastAmount, no, type Tender, yes } from './judged.ts'

const GRADE = /ชัน(พิเศษ|\d)/g

function judgeClass({ folded, ours }: Judged): RequirementAnswer {
  if (ours.classes.length === 0) return ask('ยังไม่ได้กรอกสาขาและชั้นผู้รับเหมาของเรา', 'classes')
  const held = ours.classes.map(({ branch, grade }) => `${branch} ${gradeText(grade)}`).join(', ')
  const grades = new Set([...folded.matchAll(GRADE)].map(([, grade]) => (grade === fold('พิเศษ') ? 0 : Number(grade))))
  const [wanted] = grades
  if (wanted === undefined || grades.size > 1) return ask(`อ่านชั้นที่ข้อนี้ต้องการไม่ได้แน่ชัด; ของเรา: ${held}`)
  const named = ours.classes.filter(({ branch }) => has(folded, branch)).toSorted((a, b) => a.grade - b.grade)
  const [best] = named
  if (!best) return ask(`ต้องการ${gradeText(wanted)} แต่สาขาในข้อนี้ไม่ตรงกับที่กรอกไว้; ของเรา: ${held}`, 'classes')
  const told = `ต้องการ${gradeText(wanted)}; ของเรา: ${best.branch} ${gradeText(best.grade)}`
  return best.grade <= wanted ? yes(told) : no(told, 'classes')
}

function judgeCapital({ folded, ours }: Judged): RequirementAnswer {
  if (has(folded, 'มูลค่าสุทธิของกิจการ')) {
    if (ours.net_worth === null) return ask('ต้องดูมูลค่าสุทธิของกิจการ แต่ยังไม่ได้กรอกของเรา', 'net_worth')
    const told = `มูลค่าสุทธิของกิจการเรา ${bahtText(ours.net_worth)}`
    if (!has(folded, 'เป็นบวก')) return ask(`อ่านเกณฑ์ของข้อนี้ไม่ได้; ${told}`)
    // A credit line or bank guarantee may substitute for it.
    return ours.net_worth > 0
      ? yes(`มูลค่าสุทธิต้องเป็นบวก; ${told} ตรวจว่าเป็นงบปีสุดท้ายที่รับรองแล้ว`)
      : ask(`มูลค่าสุทธิต้องเป็นบวก; ${told} ดูทางอื่นในข้อนี้ เช่น วงเงินสินเชื่อ`, 'net_worth')
  }
  const least = leastAmount(folded)
  if (least.state === 'none') return ask('อ่านทุนจดทะเบียนขั้นต่ำจากข้อนี้ไม่ได้ เทียบเอง')
  const wants = `ต้องมีทุนจดทะเบียนไม่ต่ำกว่า ${bahtText(least.baht)}`
  if (ours.capital === null) return ask(`${wants} แต่ยังไม่ได้กรอกทุนจดทะเบียนของเรา`, 'capital')
  const told = `ทุนจดทะเบียนของเรา ${bahtText(ours.capital)}`
  if (least.state === 'unsure') return ask(`อ่านได้ ${bahtText(least.baht)} แต่ไม่แน่ใจ ตรวจในเอกสารก่อน; ${told}`)
  return ours.capital >= least.baht ? yes(`${wants}; ${told}`) : no(`${wants}; ${told}`, 'capital')
}

function judgeSme({ folded, ours }: Judged): RequirementAnswer {
  if (ours.sme === null) return ask('ข้อนี้เกี่ยวกับ SMEs แต่ยังไม่ได้กรอกว่าเราเป็นขนาดใด', 'sme')
  const told = `ของเรา: ${SME_CLASSES.find(({ code }) => code === ours.sme)!.th}`
  const isOnly = has(folded, 'ต้องเป็นผู้ประกอบการ SME', 'เฉพาะผู้ประกอบการ SME', 'ต้องเป็นวิสาหกิจขนาดกลาง')
  if (ours.sme !== 'none') {
    const isRegistered = ours.certificates.some(({ name }) => has(fold(name), 'SME'))
    return has(folded, 'ขึ้นทะเบียน', 'SME-GP') && !isRegistered
      ? ask(`${told} แต่ข้อนี้ต้องขึ้นทะเบียนไว้ และยังไม่ได้กรอกหนังสือรับรอง SME-GP ของเรา`, 'certificates')
      : yes(told)
  }
  return isOnly ? no(`เฉพาะ SMEs; ${told}`, 'sme') : ask(`${told} อ่านว่าข้อนี้เป็นแต้มต่อหรือข้อห้าม`)
}

/**
 * Compares a guarantee of a definite amount with our remaining guarantee line. For a percentage the price is still
 * open, so the answer states up to which price the line suffices.
 */
function judgeBond({ folded, ours: { bond_line: line } }: Judged): RequirementAnswer {
  const amounts = findAmounts(folded).map(({ value }) => value)
  const [baht, ...more] = new Set(amounts.map((one) => one.baht))
  const isClear = baht !== undefined && more.length === 0 && amounts.some(({ agrees }) => agrees)
  const [percent, ...others] = new Set(findPercents(folded).map(({ value }) => value))
  const told = line === null ? '' : `; วงเงินค้ำประกันที่เหลือของเรา ${bahtText(line)}`
  if (!isClear) {
    const isShare = baht === undefined && percent !== undefined && percent > 0 && others.length === 0
    if (!isShare || line === null)
      return ask(
        `ต้องวางหลักประกัน${isShare ? `ร้อยละ ${percent}` : ' อ่านจำนวนเงินในเอกสาร'} แล้วถามวงเงินค้ำประกันกับธนาคาร${told}`,
        line === null ? 'bond_line' : null,
      )
    return ask(`ต้องวางหลักประกันร้อยละ ${percent}${told} พอสำหรับราคาไม่เกิน ${bahtText(Math.floor((line * 100) / percent))}`)
  }
  const wants = `ต้องวางหลักประกัน ${bahtText(baht)}`
  if (line === null) return ask(`${wants} ถามวงเงินค้ำประกันกับธนาคาร`, 'bond_line')
  if (has(folded, 'เงินสด', 'เช็ค') && !has(folded, 'ค้ำประกัน')) return ask(`${wants}; ข้อนี้ไม่ได้กล่าวถึงหนังสือค้ำประกัน${told}`)
  // Cash, a cheque or state bonds may substitute for it.
  return line >= baht ? yes(`${wants}${told}`) : ask(`${wants}${told} ไม่พอ ดูหลักประกันอย่างอื่นในข้อนี้ เช่น เงินสด`, 'bond_line')
}

function judgeLicence(judged: Judged): RequirementAnswer {
  const named = namedCertificate(judged)
  if (named) return named
  if (has(judged.folded, 'แต่งตั้ง')) return ask('ต้องขอหนังสือแต่งตั้งจากผู้ผลิตหรือตัวแทนสำหรับงานนี้')
  return ask('ไม่พบใบอนุญาตของเราที่ชื่อตรงกับข้อนี้ ถ้ามี กรอกชื่อตามใบอนุญาต', 'certificates')
}

const JUDGES: Readonly<Record<RequirementKind, (judged: Judged) => RequirementAnswer>> = {
  past_work: judgePastWork,
  class: judgeClass,
  capital: judgeCapital,
  certificate: judgeCertificates,
  licence: judgeLicence,
  people: judgePeople,
  sme: judgeSme,
  bond: judgeBond,
  documents: (judged) => namedCertificate(judged) ?? ask('ต้องเตรียมเอกสารนี้ ถามผู้ดูแลเอกสารของบริษัท'),
}

/**
 * Returns whether we satisfy a clause, using the organisation's profile and only what the clause states clearly, else
 * `ask`. `whole` includes all subclauses. Pure and linear in the length of the clause.
 */
export function judgeRequirement(
  { kind, whole }: { readonly kind: RequirementKind; readonly whole: string },
  ours: Qualifications,
  tender: Tender,
): RequirementAnswer {
  return JUDGES[kind]({ folded: fold(whole), ours, tender })
}
