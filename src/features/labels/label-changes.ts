import { type Label, markIdOf, nextLabelColor } from '#contract/user/label.ts'
import type { LabelColor } from '#contract/user/label-palette.ts'
import { patchUser } from '#src/api/user/user-patches.ts'
import { countText } from '#src/lib/money-text.ts'

type Projects = readonly string[]
const quoted = (label: Pick<Label, 'name'>) => `“${label.name}”`
/** Named only when there are several: for one it is seen which. */
const many = (projectIds: Projects, before: string) =>
  projectIds.length > 1 ? ` ${before}${countText(projectIds.length)} โครงการ` : ''

/** Makes a label in the first colour that no label uses, and gives it to the projects. */
export function createLabel(name: string, labels: readonly Label[], projectIds: Projects): Promise<boolean> {
  const label_name = name.trim()
  return patchUser(
    {
      label_action: {
        action: 'create_label',
        label_id: markIdOf(label_name, Date.now()),
        label_name,
        label_color: nextLabelColor(labels),
        ...(projectIds.length > 0 ? { project_ids: [...projectIds] } : {}),
      },
    },
    {
      failed: `สร้างป้าย “${label_name}” ไม่สำเร็จ`,
      done: projectIds.length > 1 ? `สร้างป้าย “${label_name}” และติด${many(projectIds, 'ให้ ')}แล้ว` : undefined,
    },
  )
}

/** Puts a label on projects. */
export function assignLabel(label: Label, projectIds: Projects): Promise<boolean> {
  const what = `ติดป้าย ${quoted(label)}${many(projectIds, 'ให้ ')}`
  return patchUser(
    { label_action: { action: 'assign_label', label_id: label.id, project_ids: [...projectIds] } },
    { failed: `${what} ไม่สำเร็จ`, done: projectIds.length > 1 ? `${what}แล้ว` : undefined },
  )
}

/** Takes one label off projects. */
export function unassignLabel(label: Label, projectIds: Projects): Promise<boolean> {
  const what = `เอาป้าย ${quoted(label)} ออก${many(projectIds, 'จาก ')}`
  return patchUser(
    { label_action: { action: 'unassign_label', label_id: label.id, project_ids: [...projectIds] } },
    { failed: `${what} ไม่สำเร็จ`, done: `${what}แล้ว` },
  )
}

/** Takes all labels off projects (D19). */
export function clearLabels(projectIds: Projects): Promise<boolean> {
  const what = `ล้างป้ายทั้งหมด${many(projectIds, 'ของ ')}`
  return patchUser(
    { label_action: { action: 'remove_assignment', project_ids: [...projectIds] } },
    { failed: `${what} ไม่สำเร็จ`, done: `${what}แล้ว` },
  )
}

export function renameLabel(label: Label, name: string): Promise<boolean> {
  return patchUser(
    { label_action: { action: 'rename_label', label_id: label.id, label_name: name.trim() } },
    { failed: `เปลี่ยนชื่อป้าย ${quoted(label)} ไม่สำเร็จ` },
  )
}

export function recolorLabel(label: Label, color: LabelColor): Promise<boolean> {
  return patchUser(
    { label_action: { action: 'recolor_label', label_id: label.id, label_color: color } },
    { failed: `เปลี่ยนสีป้าย ${quoted(label)} ไม่สำเร็จ` },
  )
}

/** Deletes a label and takes it off every project; can be taken back whole. */
export function deleteLabel(label: Label): Promise<boolean> {
  return patchUser(
    { label_action: { action: 'delete_label', label_id: label.id } },
    { failed: `ลบป้าย ${quoted(label)} ไม่สำเร็จ`, done: `ลบป้าย ${quoted(label)} แล้ว` },
  )
}
