import { USER_ROLES } from '#contract/account/user.ts'
import { ORGANISATION_FLAG_COLUMNS, ORGANISATION_LIMIT_FIELDS } from '#server/operation/admin/admin-requests.ts'

export const ADMIN_USAGE = `usage: npm run admin -- COMMAND

  attention                              counts what needs attention: sources, loads, jobs, emails, keywords
  metrics [PERIOD]                       requests, jobs and emails over a period; PERIOD: hour (default), day, two-days
  organisations                          lists organisations with package, users, keywords and matches
  users [CODE]                           lists the users of one organisation, or of all
  mails                                  lists failed, expired and queued emails with the mail server's response code
  resend-mail ID                         resends a failed email while its content is stored (7 days)
  jobs                                   lists dead, queued and running jobs
  restart-job ID                         retries a dead job from the start
  loads [NIGHT]                          lists the last 50 loads with new and unreadable rows; loads of one night's feed are combined,
                                         unless NIGHT is given: loads 2026-11-23
  bad-rows LOAD                          lists the unreadable rows of a load with reasons
  show CODE                              shows package, flags, limits and users of one organisation

  create-organisation CODE NAME [--package NAME]
  disable-organisation CODE              blocks its logins and ends open sessions at once
  enable-organisation CODE
  set-package CODE PACKAGE
  set-flag CODE FLAG on|off              FLAG: ${Object.keys(ORGANISATION_FLAG_COLUMNS).join(', ')}
  set-limit CODE LIST NUMBER             LIST: ${Object.keys(ORGANISATION_LIMIT_FIELDS).join(', ')}
  set-budget-years CODE YEARS            Buddhist years with commas, or none

  set-window CODE START END              hours when its watch lists are read-only, Bangkok time, e.g. 01:00 09:00; or: CODE off
  rematch CODE                           rematches every project against its watch lists in the background

  retire-sample [--confirm] [--close-accounts]
                                         removes the demo data before real data is imported; the demo keeps its own. Without --confirm: a dry run

  copy-documents                         copies DATA_DIR/documents to the bucket of DOCUMENTS_URL, verifies each file and lists missing ones

  facts                                  lists fact types of documents: switch, manual checks, share of unsure readings
  next-fact FACT                         shows an unchecked reading; its document is in DATA_DIR/documents under the hash
  check-fact FACT HASH right|wrong       records what a person saw in the document
  set-fact FACT on|off                   shows or hides its values; on requires 50 checks, 95 % of them right

  waiting                                lists broad keywords that await approval
  keyword-impact ID                      shows how many projects it would add to its organisation's report
  approve-keyword ID
  reject-keyword ID                      deletes it
  blacklist [add|remove WORD]            words that may not be watched

  create-user CODE EMAIL --first-name NAME --last-name NAME [--role ROLE]
                                         prints a generated password once
  create-operator EMAIL --first-name NAME --last-name NAME
                                         an operator of the product, for /operation; prints a generated password once
  disable-user EMAIL                     ends all sessions of the user
  enable-user EMAIL
  set-role EMAIL ROLE                    ROLE: ${USER_ROLES.map(({ code }) => code).join(', ')}
  set-max-labels EMAIL NUMBER
  remove-second-factor EMAIL             for a user who lost it; ends all their sessions
  set-email EMAIL NEW                    for a user who lost the mailbox; notifies both addresses, ends all their sessions
  set-password EMAIL                     reads the new password (one line) and ends all sessions of the user

examples:
  npm run admin -- create-organisation siam-yotha "บริษัท สยามโยธา จำกัด"
  npm run admin -- create-user siam-yotha anong@siamyotha.example --first-name อนงค์ --last-name ใจดี --role super_user
  npm run admin -- set-flag siam-yotha company-compare off
  npm run admin -- set-limit siam-yotha include 100
  npm run admin -- set-window siam-yotha 01:00 09:00
  npm run admin -- blacklist add จำนวน
  npm run admin -- set-budget-years siam-yotha 2568,2569`
