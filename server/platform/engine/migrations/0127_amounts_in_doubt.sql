-- Whether imports left a budget or a price of the project out as doubtful (contract/catalogue/doubt.ts), so that a total counts what it leaves out without reading
-- every doubt.
alter table project_doubts
  add column has_doubtful_budget boolean generated always as
    (doubts @? '$[*] ? (@.kind starts with "amount_" && @.field starts with "งบประมาณ")') stored,
  add column has_doubtful_price boolean generated always as
    (doubts @? '$[*] ? (@.kind starts with "amount_" && (@.field starts with "ราคาตกลง" || @.field starts with "ราคาที่ตกลง" || @.field starts with "งบสัญญา"))') stored;
create index project_doubts_by_budget on project_doubts (project_id) where has_doubtful_budget;
create index project_doubts_by_price on project_doubts (project_id) where has_doubtful_price;
