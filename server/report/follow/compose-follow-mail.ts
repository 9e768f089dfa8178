import { shortenProjectName } from '#contract/account/shorten-project-name.ts'
import { FOLLOW_KINDS } from '#contract/report/follow.ts'
import { truncate } from '#contract/truncate.ts'
import { type MailBlock, type MailContent, renderMail } from '#server/platform/mail/render-mail.ts'
import type { UnmailedFollowUpdate } from './queries.ts'

const MAX_GROUPS = 60
const MAX_FOLLOWED_NAME = 200

type Links = { readonly settings: string; projectOf(id: string): string }

export function composeFollowMail(
  updates: readonly UnmailedFollowUpdate[],
  links: Links,
  { contracts, ends }: { readonly contracts: number; readonly ends: readonly MailBlock[] },
): MailContent {
  const groups = FOLLOW_KINDS.flatMap(({ code, news: newsText }): MailBlock[][] =>
    [
      ...Map.groupBy(
        updates.filter(({ kind }) => kind === code),
        ({ followed }) => followed,
      ),
    ].map(([followed, of]) => [
      { text: `${truncate(followed, MAX_FOLLOWED_NAME)} ${newsText} ${of.length} โครงการ` },
      {
        facts: of.map(({ name, agency, project_id: id }): readonly [string, string] => [
          agency,
          `${shortenProjectName(name)} ${links.projectOf(id)}`,
        ]),
        more: links.settings,
      },
    ]),
  )
  const omittedCount = groups.length - MAX_GROUPS
  const blocks: MailBlock[] = [
    ...groups.slice(0, MAX_GROUPS).flat(),
    ...(omittedCount > 0
      ? [{ text: `และอีก ${omittedCount} รายการที่รับแจ้งมีความเคลื่อนไหว ดูทั้งหมดที่ ${links.settings}` }]
      : []),
  ]
  return renderMail({
    subject: [
      updates.length > 0 && `เรื่องที่คุณรับแจ้งมีความเคลื่อนไหว ${updates.length} รายการ`,
      contracts > 0 && `สัญญาใกล้หมด ${contracts} ฉบับ`,
    ]
      .filter(Boolean)
      .join(' และ'),
    preview: [...new Set(updates.map(({ followed }) => followed)), ...(contracts > 0 ? ['สัญญาใกล้หมด'] : [])].join(', '),
    blocks: [...blocks, ...ends],
    manage: `เลือกเรื่องที่รับแจ้งและปิดอีเมลนี้ได้ที่ ${links.settings}`,
  })
}
