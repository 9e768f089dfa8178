import type { LinkedProject } from '#contract/project/project-detail.ts'

type Kind = LinkedProject['kind']
/** Sections of the card: the two ends of a re-tender stand together. */
export const LINK_GROUPS = ['retender', 'yearly', 'similar'] as const
export type LinkGroup = (typeof LINK_GROUPS)[number]

export const LINK_GROUP_TEXTS: Readonly<Record<LinkGroup, { readonly title: string; readonly text: string }>> = {
  retender: { title: 'ยกเลิกแล้วประกาศใหม่', text: 'หน่วยงานเดียวกัน ชื่อและงบใกล้กัน อาจเป็นงานเดิมที่ประกาศใหม่' },
  yearly: { title: 'ซื้อทุกปี', text: 'หน่วยงานเดียวกันเคยซื้องานลักษณะนี้ในปีงบประมาณอื่น' },
  similar: { title: 'งานชื่อคล้ายกัน', text: 'ชื่อโครงการใกล้เคียงกัน' },
}

export const groupOf = (kind: Kind): LinkGroup => (kind === 'yearly' || kind === 'similar' ? kind : 'retender')

/** What the other project is to this one, where the group alone does not say. */
export const KIND_NOTES: Readonly<Partial<Record<Kind, string>>> = {
  retender_of: 'ครั้งก่อนที่ยกเลิก',
  retendered_as: 'ประกาศใหม่',
}
