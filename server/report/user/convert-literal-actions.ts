type Body = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields that accompany each action in section 3 of the specification, plus those added by the object form. */
const SIBLING_FIELDS = {
  bookmark_action: ['project_id', 'project_ids'],
  filter_action: ['filter_id', 'filterName', 'filterData', 'is_send', 'is_start', 'is_shared'],
  label_action: ['project_id', 'project_ids', 'label_id', 'label_name', 'label_color'],
} as const
type ActionField = keyof typeof SIBLING_FIELDS

/** In the literal form, `project_bookmark` lists the projects to star or unstar, not all starred projects. */
function projectsFromList({ project_bookmark: bookmarks, project_id: projectId, project_ids: several }: Body): Body {
  if (bookmarks === undefined || projectId !== undefined || several !== undefined) return {}
  return { project_ids: Array.isArray(bookmarks) ? bookmarks : [bookmarks] }
}

function filterFromList({ filter_id: id, project_save_filter_profile: list }: Body): Body {
  if (!Array.isArray(list)) return {}
  const items = list.filter(isObject)
  const item = id === undefined && items.length === 1 ? items[0] : items.find((candidate) => candidate.id === id)
  if (!item) return {}
  const fields = {
    filter_id: item.id,
    filterName: item.filterName,
    filterData: item.filterData,
    is_send: item.is_send ?? item.isSend,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

const FROM_LISTS: Readonly<Record<ActionField, (body: Body) => Body>> = {
  bookmark_action: projectsFromList,
  filter_action: filterFromList,
  label_action: () => ({}),
}

/**
 * Converts actions written as in section 3 of the specification (`label_action: "assign_label"` with `project_id` and
 * `label_id` as siblings) to the objects of `userPatchSchema`, which then validates them. Everything else passes
 * unchanged.
 */
export function convertLiteralUserPatchActions(body: unknown): unknown {
  if (!isObject(body)) return body
  const fields = Object.keys(SIBLING_FIELDS) as ActionField[]
  const actions = fields.flatMap((field) => {
    const action = body[field]
    if (typeof action !== 'string') return []
    const siblings = SIBLING_FIELDS[field].flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]]))
    return [[field, { action, ...FROM_LISTS[field](body), ...Object.fromEntries(siblings) }]]
  })
  return actions.length === 0 ? body : { ...body, ...Object.fromEntries(actions) }
}
