import { getContractorGradeLabel, type Qualifications, SME_CLASSES } from '#contract/account/qualification.ts'
import type { RequirementAnswer, RequirementKind } from '#contract/documents/requirement.ts'
import { findAmountsInText, findPercentagesInText } from '#server/documents/facts/find-values.ts'
import { foldThaiText } from '#server/documents/facts/folded-document.ts'
import { judgeCertificateRequirement, judgeNamedCertificateRequirement } from './judge-certificate-requirement.ts'
import { judgePastWorkRequirement } from './judge-past-work-requirement.ts'
import { judgeStaffRequirement } from './judge-staff-requirement.ts'
import {
  containsAnyFoldedWord,
  createMetRequirementAnswer,
  createUndecidedRequirementAnswer,
  createUnmetRequirementAnswer,
  findMinimumAmount,
  formatBahtAmount,
  type JudgedTender,
  type RequirementJudgementInput,
} from './requirement-judgement-input.ts'

const GRADE = /ชัน(พิเศษ|\d)/g

function judgeClass({ folded, qualifications }: RequirementJudgementInput): RequirementAnswer {
  if (qualifications.classes.length === 0)
    return createUndecidedRequirementAnswer('ยังไม่ได้กรอกสาขาและชั้นผู้รับเหมาของเรา', 'classes')
  const classesText = qualifications.classes
    .map(({ branch, grade }) => `${branch} ${getContractorGradeLabel(grade)}`)
    .join(', ')
  const grades = new Set(
    [...folded.matchAll(GRADE)].map(([, grade]) => (grade === foldThaiText('พิเศษ') ? 0 : Number(grade))),
  )
  const [requiredGrade] = grades
  if (requiredGrade === undefined || grades.size > 1)
    return createUndecidedRequirementAnswer(`อ่านชั้นที่ข้อนี้ต้องการไม่ได้แน่ชัด; ของเรา: ${classesText}`)
  const matchingClasses = qualifications.classes
    .filter(({ branch }) => containsAnyFoldedWord(folded, branch))
    .toSorted((a, b) => a.grade - b.grade)
  const [best] = matchingClasses
  if (!best)
    return createUndecidedRequirementAnswer(
      `ต้องการ${getContractorGradeLabel(requiredGrade)} แต่สาขาในข้อนี้ไม่ตรงกับที่กรอกไว้; ของเรา: ${classesText}`,
      'classes',
    )
  const comparisonText = `ต้องการ${getContractorGradeLabel(requiredGrade)}; ของเรา: ${best.branch} ${getContractorGradeLabel(best.grade)}`
  return best.grade <= requiredGrade
    ? createMetRequirementAnswer(comparisonText)
    : createUnmetRequirementAnswer(comparisonText, 'classes')
}

function judgeCapital({ folded, qualifications }: RequirementJudgementInput): RequirementAnswer {
  if (containsAnyFoldedWord(folded, 'มูลค่าสุทธิของกิจการ')) {
    if (qualifications.net_worth === null)
      return createUndecidedRequirementAnswer('ต้องดูมูลค่าสุทธิของกิจการ แต่ยังไม่ได้กรอกของเรา', 'net_worth')
    const netWorthText = `มูลค่าสุทธิของกิจการเรา ${formatBahtAmount(qualifications.net_worth)}`
    if (!containsAnyFoldedWord(folded, 'เป็นบวก'))
      return createUndecidedRequirementAnswer(`อ่านเกณฑ์ของข้อนี้ไม่ได้; ${netWorthText}`)
    // A clause may accept a credit line or bank guarantee instead, so a negative net worth does not decide.
    return qualifications.net_worth > 0
      ? createMetRequirementAnswer(`มูลค่าสุทธิต้องเป็นบวก; ${netWorthText} ตรวจว่าเป็นงบปีสุดท้ายที่รับรองแล้ว`)
      : createUndecidedRequirementAnswer(`มูลค่าสุทธิต้องเป็นบวก; ${netWorthText} ดูทางอื่นในข้อนี้ เช่น วงเงินสินเชื่อ`, 'net_worth')
  }
  const least = findMinimumAmount(folded)
  if (least.state === 'none') return createUndecidedRequirementAnswer('อ่านทุนจดทะเบียนขั้นต่ำจากข้อนี้ไม่ได้ เทียบเอง')
  const requirementText = `ต้องมีทุนจดทะเบียนไม่ต่ำกว่า ${formatBahtAmount(least.baht)}`
  if (qualifications.capital === null)
    return createUndecidedRequirementAnswer(`${requirementText} แต่ยังไม่ได้กรอกทุนจดทะเบียนของเรา`, 'capital')
  const capitalText = `ทุนจดทะเบียนของเรา ${formatBahtAmount(qualifications.capital)}`
  if (least.state === 'unsure')
    return createUndecidedRequirementAnswer(
      `อ่านได้ ${formatBahtAmount(least.baht)} แต่ไม่แน่ใจ ตรวจในเอกสารก่อน; ${capitalText}`,
    )
  return qualifications.capital >= least.baht
    ? createMetRequirementAnswer(`${requirementText}; ${capitalText}`)
    : createUnmetRequirementAnswer(`${requirementText}; ${capitalText}`, 'capital')
}

function judgeSme({ folded, qualifications }: RequirementJudgementInput): RequirementAnswer {
  if (qualifications.sme === null)
    return createUndecidedRequirementAnswer('ข้อนี้เกี่ยวกับ SMEs แต่ยังไม่ได้กรอกว่าเราเป็นขนาดใด', 'sme')
  const smeText = `ของเรา: ${SME_CLASSES.find(({ code }) => code === qualifications.sme)!.th}`
  const isOnly = containsAnyFoldedWord(folded, 'ต้องเป็นผู้ประกอบการ SME', 'เฉพาะผู้ประกอบการ SME', 'ต้องเป็นวิสาหกิจขนาดกลาง')
  if (qualifications.sme !== 'none') {
    const isRegistered = qualifications.certificates.some(({ name }) =>
      containsAnyFoldedWord(foldThaiText(name), 'SME'),
    )
    return containsAnyFoldedWord(folded, 'ขึ้นทะเบียน', 'SME-GP') && !isRegistered
      ? createUndecidedRequirementAnswer(
          `${smeText} แต่ข้อนี้ต้องขึ้นทะเบียนไว้ และยังไม่ได้กรอกหนังสือรับรอง SME-GP ของเรา`,
          'certificates',
        )
      : createMetRequirementAnswer(smeText)
  }
  return isOnly
    ? createUnmetRequirementAnswer(`เฉพาะ SMEs; ${smeText}`, 'sme')
    : createUndecidedRequirementAnswer(`${smeText} อ่านว่าข้อนี้เป็นแต้มต่อหรือข้อห้าม`)
}

/**
 * Compares a guarantee of a fixed amount with our remaining guarantee line. If it is a percentage, the bid price is not
 * decided yet, so the answer states the highest price that the line covers.
 */
function judgeBond({ folded, qualifications: { bond_line: bondLine } }: RequirementJudgementInput): RequirementAnswer {
  const amounts = findAmountsInText(folded).map(({ value }) => value)
  const [baht, ...otherAmounts] = new Set(amounts.map((amount) => amount.baht))
  const isClear = baht !== undefined && otherAmounts.length === 0 && amounts.some(({ agrees }) => agrees)
  const [percent, ...otherPercents] = new Set(findPercentagesInText(folded).map(({ value }) => value))
  const bondLineText = bondLine === null ? '' : `; วงเงินค้ำประกันที่เหลือของเรา ${formatBahtAmount(bondLine)}`
  if (!isClear) {
    const isShare = baht === undefined && percent !== undefined && percent > 0 && otherPercents.length === 0
    if (!isShare || bondLine === null)
      return createUndecidedRequirementAnswer(
        `ต้องวางหลักประกัน${isShare ? `ร้อยละ ${percent}` : ' อ่านจำนวนเงินในเอกสาร'} แล้วถามวงเงินค้ำประกันกับธนาคาร${bondLineText}`,
        bondLine === null ? 'bond_line' : null,
      )
    return createUndecidedRequirementAnswer(
      `ต้องวางหลักประกันร้อยละ ${percent}${bondLineText} พอสำหรับราคาไม่เกิน ${formatBahtAmount(Math.floor((bondLine * 100) / percent))}`,
    )
  }
  const requirementText = `ต้องวางหลักประกัน ${formatBahtAmount(baht)}`
  if (bondLine === null)
    return createUndecidedRequirementAnswer(`${requirementText} ถามวงเงินค้ำประกันกับธนาคาร`, 'bond_line')
  if (containsAnyFoldedWord(folded, 'เงินสด', 'เช็ค') && !containsAnyFoldedWord(folded, 'ค้ำประกัน'))
    return createUndecidedRequirementAnswer(`${requirementText}; ข้อนี้ไม่ได้กล่าวถึงหนังสือค้ำประกัน${bondLineText}`)
  // A clause may accept cash, a cheque or state bonds instead, so a low guarantee line does not decide.
  return bondLine >= baht
    ? createMetRequirementAnswer(`${requirementText}${bondLineText}`)
    : createUndecidedRequirementAnswer(
        `${requirementText}${bondLineText} ไม่พอ ดูหลักประกันอย่างอื่นในข้อนี้ เช่น เงินสด`,
        'bond_line',
      )
}

function judgeLicence(judged: RequirementJudgementInput): RequirementAnswer {
  const answer = judgeNamedCertificateRequirement(judged)
  if (answer) return answer
  if (containsAnyFoldedWord(judged.folded, 'แต่งตั้ง'))
    return createUndecidedRequirementAnswer('ต้องขอหนังสือแต่งตั้งจากผู้ผลิตหรือตัวแทนสำหรับงานนี้')
  return createUndecidedRequirementAnswer('ไม่พบใบอนุญาตของเราที่ชื่อตรงกับข้อนี้ ถ้ามี กรอกชื่อตามใบอนุญาต', 'certificates')
}

const JUDGES: Readonly<Record<RequirementKind, (judged: RequirementJudgementInput) => RequirementAnswer>> = {
  past_work: judgePastWorkRequirement,
  class: judgeClass,
  capital: judgeCapital,
  certificate: judgeCertificateRequirement,
  licence: judgeLicence,
  people: judgeStaffRequirement,
  sme: judgeSme,
  bond: judgeBond,
  documents: (judged) =>
    judgeNamedCertificateRequirement(judged) ??
    createUndecidedRequirementAnswer('ต้องเตรียมเอกสารนี้ ถามผู้ดูแลเอกสารของบริษัท'),
}

/**
 * Returns whether we satisfy a clause, based on the organisation's profile and only on what the clause states clearly;
 * otherwise leaves it to the user. `fullText` includes all subclauses. Pure and linear in the length of the clause.
 */
export function judgeRequirement(
  { kind, fullText }: { readonly kind: RequirementKind; readonly fullText: string },
  qualifications: Qualifications,
  tender: JudgedTender,
): RequirementAnswer {
  return JUDGES[kind]({ folded: foldThaiText(fullText), qualifications, tender })
}
