import { formatCount } from '#contract/thai/thai-number.ts'
import { patchUser } from '#src/report/api/user-patches.ts'

export function setProjectsHidden(projectIds: readonly string[], on: boolean): Promise<boolean> {
  const countPhrase = `${formatCount(projectIds.length)} โครงการ`
  return patchUser(
    { hide_action: { action: on ? 'add' : 'remove', project_ids: [...projectIds] } },
    on
      ? { failed: `ซ่อน ${countPhrase}ไม่สำเร็จ`, done: `ซ่อน ${countPhrase}แล้ว` }
      : { failed: `เลิกซ่อน ${countPhrase}ไม่สำเร็จ`, done: `เลิกซ่อน ${countPhrase}แล้ว` },
  )
}
