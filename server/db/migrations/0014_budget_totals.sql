-- The budget's items counted by all levels and states, whatever organisations decided: what the drill through all items is answered from. Kept by
-- everything that writes items or their states, in the same transaction.
create table budget_totals (
  fiscal_year smallint not null,
  ministry int not null,
  unit int not null,
  plan int not null,
  project int not null,
  category int not null,
  state smallint not null,
  n int not null,
  -- of these, items whose amount is known, and its sum
  known int not null,
  satang bigint not null,
  primary key (fiscal_year, ministry, unit, plan, project, category, state)
);
insert into budget_totals (fiscal_year, ministry, unit, plan, project, category, state, n, known, satang)
select fiscal_year, ministry, unit, plan, project, category, state, count(*), count(amount_satang), coalesce(sum(amount_satang), 0)
from budget_items group by 1, 2, 3, 4, 5, 6, 7;
