import type { ApiKeyScope } from '#contract/account/api-key.ts'

export type McpPrompt = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly scopes: readonly ApiKeyScope[]
  readonly args: readonly { readonly name: string; readonly description: string; readonly required: boolean }[]
  readonly text: (args: Readonly<Record<string, string>>) => string
}

const CITE = 'ทุกข้อบอกลิงก์ (url) เลขที่โครงการ และที่มา (เวลาโหลด หรือหน้าเอกสาร) ข้อมูลที่เป็น null ให้เขียนว่า “ไม่ทราบ” ห้ามเดา'

export const MCP_PROMPTS: readonly McpPrompt[] = [
  {
    name: 'decide_today',
    title: 'สรุปงานที่ต้องตัดสินใจวันนี้',
    description: 'งานใกล้ปิดรับ งานใหม่ และงานของทีมที่ยังไม่ตัดสินใจ เรียงตามความเร่งด่วน',
    scopes: ['report'],
    args: [],
    text: () =>
      [
        'สรุปงานที่ต้องตัดสินใจวันนี้ เป็นภาษาไทย สั้น อ่านจบในหนึ่งนาที',
        '1. เรียก deadlines (days 7) ดูงานที่ใกล้ปิดรับ',
        '2. เรียก search_projects (project_change_status__in: new, updated) ดูงานใหม่และงานที่เปลี่ยน',
        '3. ถ้ามี my_pursuits ให้ดูงานของทีมที่ยังไม่ตัดสินใจ (decision เป็น null)',
        '4. งานที่ควรตัดสินใจวันนี้ ให้เรียก project_documents ดูเงื่อนไขสำคัญ',
        'แบ่งเป็น “ตัดสินใจวันนี้” “ภายในสัปดาห์นี้” และ “รับทราบ” แต่ละงานบอกชื่อ หน่วยงาน งบ วันปิดรับ และเหตุผลหนึ่งประโยค',
        CITE,
      ].join('\n'),
  },
  {
    name: 'likely_bidders',
    title: 'ใครน่าจะยื่นงานนี้',
    description: 'บริษัทที่น่าจะยื่นโครงการหนึ่ง จากผู้ชนะงานคล้ายกันและผู้ขายของหน่วยงาน',
    scopes: ['report', 'companies'],
    args: [{ name: 'project_id', description: 'เลขที่โครงการของ e-GP', required: true }],
    text: ({ project_id: id = '' }) =>
      [
        `ใครน่าจะยื่นโครงการ ${id} ตอบเป็นภาษาไทย`,
        '1. เรียก get_project ดูชื่องาน หน่วยงาน วิธี และงบ',
        '2. เรียก who_wins (market true กับ project_name__in เป็นคำสำคัญของงาน) ดูผู้ชนะงานคล้ายกัน',
        '3. เรียก agency ของหน่วยงานนั้น ดูว่าซื้อจากใคร',
        '4. เรียก company ของ 3 ถึง 5 บริษัทที่น่าจะยื่น ดูส่วนลดและงานล่าสุด',
        'เรียงจากน่าจะยื่นมากไปน้อย แต่ละบริษัทบอกเหตุผลด้วยตัวเลขและจำนวนโครงการที่ใช้คิด แยกข้อเท็จจริงจากการคาดคะเน',
        CITE,
      ].join('\n'),
  },
]
