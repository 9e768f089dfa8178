import { countText } from '#src/lib/money-text.ts'
import { patchUser } from '#src/report/api/patch-user.ts'

/** Hides or unhides projects. Resolves to whether it was saved. */
export function hideProjects(projectIds: readonly string[], on: boolean): Promise<boolean> {
  const many = `${countText(projectIds.length)} โครงการ`
  return patchUser(
    { hide_action: { action: on ? 'add' : 'remove', project_ids: [...projectIds] } },
    on
      ? { failed: `ซ่อน ${many}ไม่สำเร็จ`, done: `ซ่อน ${many}แล้ว` }
      : { failed: `เลิกซ่อน ${many}ไม่สำเร็จ`, done: `เลิกซ่อน ${many}แล้ว` },
  )
}
