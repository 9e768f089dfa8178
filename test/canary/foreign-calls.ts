import { DEFAULT_CHANNEL_PREFERENCES } from '#contract/channels/channel.ts'
import type { CanaryIds } from '../world/canary-world.ts'
import type { Call } from './plain-calls.ts'

/** A project that the canary world gives to both A and B. */
const SHARED = '67110000002'
const filterData = { filter: {}, search: [] }
const at = (id: string): readonly Call[] => [{ params: { id } }]
/** A message to the address for assistants. */
const toolCall = (name: string, args: Readonly<Record<string, unknown>>): Call => ({
  body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
})
const words = (ids: CanaryIds) => [{ id: Number(ids.keyword) }, { id: Number(ids.deletedKeyword) }]

/**
 * Calls by B with an id of A. The response must be byte-identical to that for an unknown id, and A's data must not
 * change.
 */
export const FOREIGN_CALLS: Readonly<Record<string, (ids: CanaryIds) => readonly Call[]>> = {
  'POST /api/mcp': ({ project, label, user, filter }) => [
    toolCall('search_projects', { project_id__in: [project] }),
    toolCall('search_projects', { team_label__in: [label], pursuit_owner__in: [user] }),
    toolCall('get_project', { project_id: project }),
    toolCall('project_documents', { project_id: project }),
    toolCall('deadlines', { days: 365 }),
    toolCall('my_pursuits', {}),
    toolCall('who_wins', { pursuit_owner__in: [user] }),
    toolCall('agency', { agency: 'เทศบาลเมืองตัวอย่าง' }),
    {
      body: {
        ...{ jsonrpc: '2.0', id: 1, method: 'resources/read' },
        params: { uri: `tamngan://saved-filters/${user}/${filter}` },
      },
    },
  ],
  'PATCH /api/v2/users/me': ({ label, filter, notification, project, organisation, user }) => [
    { body: { label_action: { action: 'delete_label', label_id: label } } },
    { body: { label_action: { action: 'unassign_label', label_id: label, project_id: project } } },
    { body: { label_action: { action: 'remove_assignment', project_id: project } } },
    { body: { label_action: { action: 'assign_label', label_id: label, project_id: project } } },
    { body: { label_action: { action: 'rename_label', label_id: label, label_name: 'x' } } },
    { body: { label_action: { action: 'recolor_label', label_id: label, label_color: 'red' } } },
    { body: { project_label_assignments: { [project]: [label] } } },
    { body: { filter_action: { action: 'remove', filter_id: filter } } },
    { body: { filter_action: { action: 'email_toggle', filter_id: filter } } },
    { body: { filter_action: { action: 'rename', filter_id: filter, filterName: 'x' } } },
    { body: { filter_action: { action: 'update', filter_id: filter, filterData } } },
    { body: { bookmark_action: { action: 'remove', project_id: project } } },
    { body: { hide_action: { action: 'remove', project_id: project } } },
    { body: { notification_updated_status: { notifications: [{ id: notification, read: true }] } } },
    { body: { is_noti_e_bidding: false, id: user, user_id: user, organisation_id: organisation } },
  ],
  'DELETE /api/v2/users/me/devices/:id': ({ device }) => at(device),
  'DELETE /api/v2/users/me/passkeys/:id': ({ passkey }) => at(passkey),
  'PATCH /api/v2/organisations/me/members/:id': ({ user }) => [
    { params: { id: user }, body: { is_disabled: true } },
    { params: { id: user }, body: { role: 'super_user' } },
  ],
  'POST /api/v2/organisations/me/invitations/:id/resend': ({ invitation }) => at(invitation),
  'DELETE /api/v2/organisations/me/invitations/:id': ({ invitation }) => at(invitation),
  'POST /api/v2/organisations/me/join-requests/:id/accept': ({ joinRequest }) => [
    { params: { id: joinRequest }, body: { role: 'member_user' } },
  ],
  'POST /api/v2/organisations/me/join-requests/:id/refuse': ({ joinRequest }) => at(joinRequest),
  'POST /api/v2/organisations/me': ({ group, organisation }) => [
    { body: { include_keywords: [{ word: 'คำใหม่', group_id: Number(group) }] } },
    { body: { organisation_id: organisation } },
  ],
  'PATCH /api/v2/organisations/me': (ids) => [
    { body: { include_keywords: [{ id: Number(ids.keyword), word: 'x x' }] } },
    { body: { include_keywords: [{ id: Number(ids.keyword), group_id: null }] } },
    { body: { include_keywords: [{ id: Number(ids.keyword), in_documents: true }] } },
    { body: { ai_include_keywords: [{ id: Number(ids.aiKeyword), word: 'x x' }] } },
    { body: { keyword_groups: [{ id: Number(ids.group), name: 'ของฉัน' }] } },
    { body: { search_by_name: true, organisation_id: ids.organisation, id: Number(ids.organisation) } },
  ],
  'DELETE /api/v2/organisations/me': (ids) => [{ body: { include_keywords: words(ids) } }],
  'POST /api/v2/organisations/me/keywords/remove': (ids) => [{ body: { include_keywords: words(ids) } }],
  'POST /api/v2/organisations/me/keywords/restore': ({ deletedKeyword, keyword }) => [
    { body: { ids: [Number(deletedKeyword)] } },
    { body: { ids: [Number(keyword)] } },
  ],
  'POST /api/v2/organisations/me/keywords/check': ({ group }) => [
    { body: { include_keywords: [{ word: 'คำใหม่', group_id: Number(group) }] } },
  ],
  'PATCH /api/v2/organisations/me/keywords/:id/terms': (ids) =>
    [ids.aiKeyword, ids.keyword, ids.deletedKeyword].flatMap((id) => [
      { params: { id }, body: { add: ['ของฉัน'] } },
      { params: { id }, body: { reset: true } },
    ]),
  'GET /api/v2/organisations/me/keywords/:id/lesson': ({ aiKeyword }) => at(aiKeyword),
  'POST /api/v2/organisations/me/keywords/:id/lesson': ({ aiKeyword, project }) => [
    { params: { id: aiKeyword }, body: { answers: [{ project_id: project, is_wanted: false }] } },
    { params: { id: aiKeyword }, body: { answers: [{ project_id: project, is_wanted: null }] } },
  ],
  'PUT /api/v2/organisations/me/keywords/:id/lesson/terms': ({ aiKeyword }) => [
    { params: { id: aiKeyword }, body: { in_force: true } },
    { params: { id: aiKeyword }, body: { in_force: false } },
  ],
  'GET /api/v2/organisations/me/term-advice': () => [{}],
  'PUT /api/v2/organisations/me/term-advice': ({ aiKeyword }) => [
    { body: { keyword_id: Number(aiKeyword), facet: 0, term: 'คำ', refused: true } },
  ],
  'POST /api/v2/organisations/me/keywords/preview': ({ keyword }) => [{ body: { add: {}, remove: [Number(keyword)] } }],
  'GET /api/v2/organisations/me/hidden': ({ keyword, organisation }) => [
    { query: { keyword } },
    { query: { days: 'all', rescued: 'true', organisation_id: organisation } },
  ],
  'POST /api/v2/organisations/me/hidden/rescue': ({ project }) => [{ body: { project_ids: [project] } }],
  'POST /api/v2/organisations/me/hidden/unrescue': ({ project }) => [{ body: { project_ids: [project] } }],
  'GET /api/v2/organisations/me/logs': ({ user, organisation }) => [
    { query: { user } },
    { query: { user, organisation_id: organisation } },
  ],
  'GET /api/v2/organisations/me/logs/export': ({ user }) => [{ query: { user } }],
  'GET /api/v2/projects': ({ label, project, user, organisation }) => [
    { query: { pursuit_owner__in: user } },
    { query: { team_label__in: label } },
    { query: { pursuit_stage__in: 's1', ordering: 'pursuit_stage' } },
    { query: { pursuit_has_notes: 'true', ordering: '-pursuit_notes' } },
    { query: { project_label__in: label } },
    { query: { project_id__in: project } },
    { query: { user_id: user, organisation_id: organisation } },
  ],
  'GET /api/v2/projects/facets': ({ label, user }) => [
    { query: { project_label__in: label } },
    { query: { team_label__in: label } },
    { query: { pursuit_owner__in: user, pursuit_stage__in: 's1' } },
  ],
  'GET /api/v2/projects/agencies': ({ label, user }) => [
    { query: { q: 'กรม', project_label__in: label } },
    { query: { team_label__in: label } },
    { query: { pursuit_owner__in: user, pursuit_stage__in: 's1' } },
  ],
  'GET /api/v2/projects/ids': ({ label, project }) => [
    { query: { project_label__in: label } },
    { query: { project_id__in: project } },
  ],
  'GET /api/v2/projects/suggestions': ({ project }) => [{ query: { project_search__in: project } }],
  'GET /api/v2/projects/queue': ({ label }) => [{ query: { project_label__in: label } }],
  'POST /api/v2/projects/queue/decisions': ({ project }) => [
    { body: { load_id: 1, project_ids: [project], decided: false } },
  ],
  'GET /api/v2/calendar': ({ filter, user, label, project }) => [
    { query: { saved: filter } },
    { query: { user_id: user } },
    { query: { project_label__in: label } },
    { query: { project_id__in: project } },
  ],
  'GET /api/v2/calendar-feeds': ({ user }) => [{ query: { user_id: user } }],
  'POST /api/v2/calendar-feeds': ({ filter, user }) => [
    { body: { source: 'filter', filter_id: filter } },
    { body: { source: 'view', filter_id: filter, owner: Number(user) } },
  ],
  'DELETE /api/v2/organisations/me/api-keys/:id': ({ apiKey }) => at(apiKey),
  'POST /api/v2/organisations/me/login-domains/:id/verify': ({ loginDomain }) => at(loginDomain),
  'PATCH /api/v2/organisations/me/login-domains/:id': ({ loginDomain }) => [
    { params: { id: loginDomain }, body: { rule: 'must' } },
  ],
  'DELETE /api/v2/organisations/me/login-domains/:id': ({ loginDomain }) => at(loginDomain),
  'DELETE /api/v2/organisations/me/login-identities/:id': ({ user }) => at(user),
  'PATCH /api/v2/organisations/me/webhooks/:id': ({ webhook, filter, user }) => [
    { params: { id: webhook }, body: { name: 'x' } },
    { params: { id: webhook }, body: { url: 'https://elsewhere.example/' } },
    { params: { id: webhook }, body: { view: { owner: Number(user), id: filter } } },
  ],
  'DELETE /api/v2/organisations/me/webhooks/:id': ({ webhook }) => at(webhook),
  'POST /api/v2/organisations/me/webhooks/:id/secret': ({ webhook }) => at(webhook),
  'POST /api/v2/organisations/me/webhooks/:id/test': ({ webhook }) => at(webhook),
  'POST /api/v2/organisations/me/webhooks/:id/resend': ({ webhook }) => [
    { params: { id: webhook }, body: { since: '2026-11-01T00:00:00Z' } },
  ],
  'GET /api/v2/organisations/me/webhooks/:id/deliveries': ({ webhook }) => at(webhook),
  'GET /api/v2/organisations/me/webhooks/:id/deliveries/:delivery': ({ webhook, delivery }) => [
    { params: { id: webhook, delivery } },
  ],
  'POST /api/v2/organisations/me/webhooks/:id/deliveries/:delivery/resend': ({ webhook, delivery }) => [
    { params: { id: webhook, delivery } },
  ],
  'DELETE /api/v2/calendar-feeds/:id': ({ calendarFeed }) => at(calendarFeed),
  'POST /api/v2/short-links': ({ label, organisation, user }) => [
    { body: { search: { project_label__in: label } } },
    { body: { search: { check_sme: 'true' }, organisation_id: organisation, user_id: user } },
  ],
  'GET /api/v2/projects/saved-filter-counts': ({ filter, user }) => [{ query: { filter_id: filter, user_id: user } }],
  'GET /api/v2/projects/saved-filter-recall': ({ filter, user }) => [{ query: { filter_id: filter, user_id: user } }],
  'GET /api/v2/projects/exports': ({ user }) => [{ query: { user_id: user } }],
  'GET /api/v2/projects/exports/:id': (ids) => at(ids.export),
  'POST /api/v2/projects/exports/:id/cancel': (ids) => at(ids.export),
  'GET /api/v2/projects/exports/:id/file': (ids) => at(ids.export),
  'GET /api/v2/projects/:id/documents': ({ project }) => at(project),
  'GET /api/v2/projects/:id/word-passages': ({ project }) => at(project),
  'POST /api/v2/projects/:id/documents': ({ project }) => [{ params: { id: project }, raw: '%PDF-1.4' }],
  'GET /api/v2/documents/:id': ({ document }) => at(document),
  'GET /api/v2/documents/:id/hits': ({ document }) => [{ params: { id: document }, query: { q: 'ประกาศ' } }],
  'GET /api/v2/documents/:id/comparison': ({ document }) => [{ params: { id: document }, query: { before: document } }],
  'GET /api/v2/documents/:id/requirements': ({ document }) => at(document),
  'GET /api/v2/documents/:id/file': ({ document }) => at(document),
  'POST /api/v2/documents/:id/pictures': ({ document }) => at(document),
  'POST /api/v2/projects/:id/document-answers': ({ project }) => [
    { params: { id: project }, body: { question: 'ประกาศ' } },
  ],
  'DELETE /api/v2/documents/:id': ({ document }) => at(document),
  'GET /api/v2/documents': ({ project }) => [
    { query: { q: 'ประกาศ' } },
    { query: { q: 'ประกาศ', project } },
    { query: { q: 'นกขมิ้น || ประกาศ' } },
  ],
  'GET /api/v2/projects/:id/draft-observations': ({ project }) => at(project),
  'POST /api/v2/pursuits/:id/draft-comments': ({ project }) => [
    { params: { id: project }, body: { commented_on: '2026-11-20', text: 'ของฉัน' } },
  ],
  'DELETE /api/v2/pursuits/:id/draft-comments/:comment': ({ project }) => [
    { params: { id: project, comment: '1' } },
    { params: { id: SHARED, comment: '1' } },
  ],
  'POST /api/v2/pursuits/:id/draft-letter': ({ project }) => [{ params: { id: project }, body: { text: 'ของฉัน' } }],
  'GET /api/v2/pursuits/:id': ({ project }) => at(project),
  'PATCH /api/v2/pursuits/:id': ({ project, user, note }) => [
    { params: { id: project }, body: { actions: [{ action: 'decide', decision: 'bid' }] } },
    { params: { id: project }, body: { actions: [{ action: 'edit_note', id: note, text: 'ของฉัน' }] } },
    { params: { id: SHARED }, body: { actions: [{ action: 'set_owner', owner: Number(user) }] } },
    { params: { id: SHARED }, body: { actions: [{ action: 'delete_note', id: note }] } },
    {
      params: { id: SHARED },
      body: { actions: [{ action: 'add_note', id: 'b', text: 'x', mentions: [Number(user)] }] },
    },
  ],
  'POST /api/v2/pursuits/:id/carry': ({ project }) => [
    { params: { id: project }, body: { from: SHARED } },
    { params: { id: SHARED }, body: { from: project } },
  ],
  'POST /api/v2/pursuits/:id/files/:file': ({ project, file }) => [{ params: { id: project, file }, raw: '%PDF-1.4' }],
  'GET /api/v2/pursuits/:id/files/:file': ({ project, file }) => [{ params: { id: project, file } }],
  'GET /api/v2/pursuits': ({ user, organisation, label, project }) => [
    { query: { project_label__in: label } },
    { query: { team_label__in: label } },
    { query: { project_id__in: project } },
    { query: { owner: user } },
    { query: { organisation_id: organisation } },
  ],
  'GET /api/v2/pursuits/settings': ({ organisation }) => [{ query: { organisation_id: organisation } }],
  'GET /api/v2/team-marks': ({ organisation }) => [{ query: { organisation_id: organisation } }],
  'GET /api/v2/project-looks': ({ project }) => [
    { query: { ids: project } },
    { query: { ids: `${SHARED},${project}` } },
  ],
  'PATCH /api/v2/team-labels': ({ label, project }) => [
    { body: { action: { action: 'assign_label', label_id: label, project_id: SHARED } } },
    { body: { action: { action: 'unassign_label', label_id: label, project_id: project } } },
    { body: { action: { action: 'rename_label', label_id: label, label_name: 'ของฉัน' } } },
    { body: { action: { action: 'delete_label', label_id: label } } },
    {
      body: {
        action: {
          action: 'create_label',
          label_id: 'own',
          label_name: 'ของฉัน',
          label_color: 'sky',
          project_id: project,
        },
      },
    },
  ],
  'PATCH /api/v2/team-views': ({ filter, user }) =>
    [
      { action: 'start', is_start: true },
      { action: 'rename', filterName: 'ของฉัน' },
      { action: 'unshare' },
      { action: 'remove' },
    ].map((action) => ({ body: { action: { ...action, filter_id: filter, owner: Number(user) } } })),
  'GET /api/v2/users/me/follows': ({ user }) => [{ query: { user_id: user } }],
  'PATCH /api/v2/users/me/follows': ({ project }) => [
    { body: { add: { kind: 'project', key: project } } },
    { body: { remove: { kind: 'project', key: project } } },
  ],
  'GET /api/v2/users/me/channels': ({ user }) => [{ query: { user_id: user } }],
  'PUT /api/v2/users/me/channels/:channel': ({ filter }) => [
    { params: { channel: 'line' }, body: { ...DEFAULT_CHANNEL_PREFERENCES, filters: [filter] } },
  ],
  'GET /api/v2/users/me/line': ({ user }) => [{ query: { user_id: user } }],
  'DELETE /api/v2/organisations/me/line-groups/:id': ({ lineGroup }) => at(lineGroup),
  'GET /api/v2/users/me/push': ({ user }) => [{ query: { user_id: user } }],
  'DELETE /api/v2/users/me/push/devices/:id': ({ pushDevice }) => at(pushDevice),
  'POST /api/v2/users/me/push/devices/:id/sample': ({ pushDevice }) => at(pushDevice),
  'GET /api/v2/users/me/questions': ({ user }) => [{ query: { user_id: user } }],
  'PATCH /api/v2/users/me/questions': ({ question }) => [
    { body: { change: { id: question, name: 'y' } } },
    { body: { remove: { id: question } } },
  ],
  'GET /api/v2/results': ({ organisation }) => [{ query: { all: 'true', organisation_id: organisation } }],
  'GET /api/v2/results/rows': ({ user, organisation }) => [
    { query: { all: 'true', rows: 'pursued', organisation_id: organisation } },
    { query: { all: 'true', rows: 'pursued', group: 'owner', key: user } },
  ],
  'GET /api/v2/results/file': ({ organisation }) => [{ query: { all: 'true', organisation_id: organisation } }],
  'GET /api/v2/qualifications/coverage': ({ organisation }) => [{ query: { organisation_id: organisation } }],
  'GET /api/v2/report-cards': ({ organisation }) => [{ query: { organisation_id: organisation } }],
  'GET /api/v2/qualifications': ({ organisation }) => [{ query: { organisation_id: organisation } }],
  'GET /api/v2/projects/:id': ({ project }) => at(project),
  'GET /api/v2/projects/:id/similar-prices': ({ project }) => at(project),
  'GET /api/v2/projects/:id/linked': ({ project }) => at(project),
  'GET /api/v2/company-comparison/likely/:projectId': ({ project }) => [{ params: { projectId: project } }],
  'POST /api/v2/budgets/:id/links/:projectId': ({ budgetItem, project }) => [
    { params: { id: budgetItem, projectId: project }, body: { decision: 'rejected' } },
    { params: { id: budgetItem, projectId: project }, body: { decision: null } },
  ],
  'GET /api/v2/users/me': ({ user }) => [{ query: { id: user, user_id: user } }],
  'GET /api/v2/users/me/pulse': ({ user }) => [{ query: { user_id: user } }],
  'GET /api/v2/users/me/sessions': ({ user }) => [{ query: { user_id: user } }],
  'DELETE /api/v2/users/me/sessions/:id': ({ session }) => at(session),
  'GET /api/v2/organisations/me': ({ organisation }) => [
    { query: { id: organisation, organisation_id: organisation } },
  ],
  'GET /api/v2/organisations/me/keyword-terms': ({ organisation, aiKeyword }) => [
    { query: { organisation_id: organisation, keyword_id: aiKeyword } },
  ],
  'GET /api/v2/organisations/me/keyword-terms/news': ({ organisation, aiKeyword }) => [
    { query: { organisation_id: organisation, keyword_id: aiKeyword } },
  ],
  'GET /api/v2/organisations/me/keyword-stats': ({ organisation }) => [{ query: { organisation_id: organisation } }],
  'GET /api/v2/organisations/me/matching': ({ organisation }) => [{ query: { organisation_id: organisation } }],
}
