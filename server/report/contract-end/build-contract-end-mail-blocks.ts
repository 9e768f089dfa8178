import { shortenProjectName } from '#contract/account/shorten-project-name.ts'
import { formatContractAmount } from '#contract/catalogue/contract-ends-list.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBahtCompact } from '#contract/thai/thai-number.ts'
import type { MailBlock } from '#server/platform/mail/render-mail.ts'
import type { UnmailedContractEnd } from './contract-end-queries.ts'

type Links = { readonly list: string; projectOf(id: string): string }

export function buildContractEndMailBlocks(
  total: number,
  rows: readonly UnmailedContractEnd[],
  links: Links,
): MailBlock[] {
  if (total === 0) return []
  const truncationNote = total > rows.length ? ` นี่คือ ${rows.length} ฉบับแรก` : ''
  return [
    { text: `สัญญาที่ตรงคำของเราใกล้สิ้นสุด ${total} ฉบับ งานอาจประกาศอีกครั้ง${truncationNote} ดูทั้งหมดที่ ${links.list}` },
    {
      facts: rows.map(
        ({
          agency,
          name,
          winner_name: winner,
          ends_on: end,
          project_id: id,
          ...amounts
        }): readonly [string, string] => [
          agency,
          [
            `${shortenProjectName(name)} สิ้นสุด ${formatThaiDateShortOrOriginal(end)}`,
            winner !== null && `ผู้ชนะ ${winner}`,
            formatContractAmount(amounts, (satang) => formatBahtCompact(satang / 100)),
            links.projectOf(id),
          ]
            .filter(Boolean)
            .join(' · '),
        ],
      ),
      more: links.list,
    },
  ]
}
