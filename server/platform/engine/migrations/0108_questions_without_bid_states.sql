-- Saved questions about winners no longer use the bid state (contract/report/who-wins.ts, winsSearch). A question saved in the segment "open" found nobody;
-- it is looked at anew, because the first look reports nothing and the winners that it finds now are no news.
update saved_questions
set address = address - 'project_bidding__in', looked_on = null, winners = null, leaders = '{}', new_winners = '{}', leaders_before = null
where address ? 'project_bidding__in';
