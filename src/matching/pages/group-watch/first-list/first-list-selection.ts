import { z } from 'zod/mini'
import { parseCompanyTaxId } from '#contract/catalogue/company-name.ts'
import type { CompanyRef } from '#contract/market/company.ts'
import type { FirstListFix, FirstListProofRequest, FirstListProposal } from '#contract/market/first-list.ts'
import { formatMoneyRange } from '#contract/thai/money-text.ts'
import { findProvinceByName } from '#contract/thai/province.ts'

export const firstListSelectionSchema = z.object({
  company_id: z.number(),
  tax_id: z.nullable(z.string()),
  words: z.array(z.string()),
  agencies: z.array(z.string()),
  provinces: z.nullable(z.array(z.string())),
  band: z.object({ min: z.nullable(z.number()), max: z.nullable(z.number()) }),
  rivals: z.array(z.object({ key: z.string(), name: z.string() })),
})
export type FirstListSelection = z.output<typeof firstListSelectionSchema>

export type FirstListSelectionProps = {
  selection: FirstListSelection
  /** Number of words and agencies that the subscription still allows. */
  remaining: { readonly include: number; readonly deptsub_include: number }
  onSelect: (selection: FirstListSelection) => void
}

const ticked = (entries: readonly { readonly word: string; readonly is_ticked: boolean }[]) =>
  entries.filter(({ is_ticked }) => is_ticked).map(({ word }) => word)

export const createFirstListSelection = (
  { id, tax_id }: Pick<CompanyRef, 'id' | 'tax_id'>,
  proposal: FirstListProposal,
): FirstListSelection => ({
  company_id: id,
  tax_id: parseCompanyTaxId(tax_id) ?? null,
  words: ticked(proposal.words),
  agencies: ticked(proposal.agencies),
  provinces: proposal.is_nationwide
    ? null
    : proposal.provinces.filter(({ is_ticked }) => is_ticked).map(({ name }) => name),
  band: proposal.band,
  rivals: [],
})

export const toProofRequest = ({
  tax_id: _taxId,
  rivals: _rivals,
  ...selection
}: FirstListSelection): FirstListProofRequest => selection

export const withEntryToggled = (list: readonly string[], entry: string, on: boolean): string[] =>
  on ? [...list, entry] : list.filter((other) => other !== entry)

/** Removing the last province would mean a list that finds nothing, so it means the whole country. */
export function toggleProvince(selection: FirstListSelection, name: string, on: boolean): FirstListSelection {
  const provinces = withEntryToggled(selection.provinces ?? [], name, on)
  return { ...selection, provinces: provinces.length === 0 ? null : provinces }
}

export function applyFixes(selection: FirstListSelection, fixes: readonly FirstListFix[]): FirstListSelection {
  let next = selection
  for (const { kind, value } of fixes) {
    if (kind === 'word' && !next.words.includes(value)) next = { ...next, words: [...next.words, value] }
    if (kind === 'agency' && !next.agencies.includes(value)) next = { ...next, agencies: [...next.agencies, value] }
    if (kind === 'province') next = { ...next, provinces: addProvince(next.provinces, value) }
    if (kind === 'band') next = { ...next, band: widen(next.band, Number(value)) }
  }
  return next
}

function addProvince(provinces: readonly string[] | null, name: string): string[] | null {
  if (provinces === null || findProvinceByName(name) === undefined) return null
  return provinces.includes(name) ? [...provinces] : [...provinces, name]
}

function widen({ min, max }: FirstListSelection['band'], budget: number): FirstListSelection['band'] {
  return {
    min: min !== null && budget < min ? Math.floor(budget) : min,
    max: max !== null && budget > max ? Math.ceil(budget) : max,
  }
}

export const hasFirstListEntries = (selection: FirstListSelection | undefined): selection is FirstListSelection =>
  selection !== undefined && selection.words.length + selection.agencies.length > 0

export function describeFirstList(selection: FirstListSelection | undefined): string {
  if (!selection) return 'ใส่เลขผู้เสียภาษีหรือชื่อบริษัท'
  const { words, agencies, provinces, band } = selection
  const place = provinces === null ? 'ทั่วประเทศ' : `${provinces.length} จังหวัด`
  const money = band.min === null && band.max === null ? 'ทุกวงเงิน' : `${formatMoneyRange(band)} บาท`
  return `${words.length} คำ · ${agencies.length} หน่วยงาน · ${place} · ${money} แก้ทีหลังได้ที่คำติดตาม`
}
