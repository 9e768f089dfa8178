-- Who won what. Written after each load from the rows that it wrote, apart from the transaction that published them (decision 0022), so that a
-- report never waits for it; `loads.companies_version` says which loads have been counted in.
create table companies (
  id int generated always as identity primary key,
  -- 't:' and the 13-digit tax id, or 'n:' and the name without legal form (contract/company/company-name.ts)
  key text not null unique,
  tax_id text,
  -- the spelling used most
  name text not null,
  -- searchForm of the name without its legal form; equal for the spellings of one name
  name_key text collate "C" not null,
  -- as the newest bid said of which it is known
  is_sme boolean,
  -- its projects changed since its figures were counted
  is_stale boolean not null default true
);
create index companies_by_name on companies (name_key);
create index companies_by_tax_id on companies (tax_id);
create index companies_stale on companies (id) where is_stale;

-- Every spelling met, so that old addresses find their company.
create table company_names (
  id int generated always as identity unique,
  company_id int not null references companies (id) on delete cascade,
  name text not null,
  name_key text collate "C" not null,
  -- projects in which it was spelled so
  uses int not null,
  primary key (company_id, name)
);
create index company_names_by_key on company_names (name_key);

-- One row for each company and project in which it bid or won: what every figure of a company is made of.
create table company_projects (
  company_id int not null references companies (id) on delete cascade,
  project_id text not null,
  -- of company_names: how it is spelled there; null where only its tax id stands
  name_id int,
  department_id int not null,
  fiscal_year smallint,
  project_province smallint,
  -- numbers of match_values
  method smallint not null,
  method_type smallint not null,
  criteria smallint not null,
  -- 0: only winners are known, 1: bidders without (all) prices, 2: bidders with prices
  coverage smallint not null,
  -- has a contract there or was announced as winner, and nobody cancelled it
  is_winner boolean not null,
  -- somebody won, and nobody cancelled it: the result of a bid is known
  is_decided boolean not null,
  contracts smallint not null,
  -- what the company won there: sum of its contracts; null when unknown or when it did not win
  value_satang bigint,
  -- what it offered
  bid_satang bigint,
  reference_satang bigint,
  -- what its discount is held against (D20): only where it is the one winner and the price is known; the reference price, else the budget
  discount_base_satang bigint,
  is_against_budget boolean not null default false,
  -- announcement of the winner, else the first contract's signature
  decided_on date,
  -- last day on which anything shows it bid or won, for meetings without a result
  happened_on date,
  is_sme boolean,
  -- one element for each of its contracts, in one order: the amount (null: unknown), and the last day under way (null: closed; infinity: no end
  -- is known). Empty where it did not win
  contract_amounts bigint[] not null,
  open_until date[] not null,
  -- Covering what lists show: 62,000 rows of the 50 companies with most wins lie in as many pages.
  primary key (company_id, project_id) include (
    department_id, fiscal_year, project_province, method, method_type, coverage, is_winner, is_decided, value_satang, discount_base_satang,
    is_against_budget, decided_on
  )
);
-- Covering what lists sum up: the report of an organisation is some 10,000 projects scattered over all of them.
create index company_projects_by_project on company_projects (project_id)
  include (
    company_id, department_id, fiscal_year, project_province, method, method_type, coverage, is_winner, is_decided, value_satang,
    discount_base_satang, is_against_budget, decided_on
  );
create index company_projects_by_department on company_projects (department_id, company_id);

-- Kept figures: of each company over all years (fiscal_year 0) and by year. Σ over `company_projects`; a null sum is unknown, never 0.
create table company_figures (
  company_id int not null references companies (id) on delete cascade,
  fiscal_year smallint not null,
  projects int not null,
  wins int not null,
  value_satang bigint,
  -- with a known result, and of these won; null where no bidder list is known
  bids int,
  bids_decided int,
  bids_won int,
  -- won projects with a reference price: how many, Σ reference, Σ (reference − price), median of the rates
  discount_n int not null,
  discount_base_satang bigint,
  discount_saved_satang bigint,
  discount_median double precision,
  departments int not null,
  top_method smallint,
  last_win_on date,
  coverage_full int not null,
  coverage_names int not null,
  coverage_winner int not null,
  primary key (company_id, fiscal_year)
);
create index company_figures_by_year on company_figures (fiscal_year);

-- The same sums by what the list filters (fiscal_year and project_province 0: unknown): 165,801 rows for the 1.39 million contracts of 2568,
-- where counting the projects themselves would visit all of them.
create table company_slices (
  company_id int not null references companies (id) on delete cascade,
  fiscal_year smallint not null,
  method smallint not null,
  method_type smallint not null,
  -- 0: unknown
  project_province smallint not null,
  projects int not null,
  wins int not null,
  value_satang bigint,
  bids int,
  bids_decided int,
  bids_won int,
  discount_n int not null,
  discount_base_satang bigint,
  discount_saved_satang bigint,
  last_win_on date,
  coverage_full int not null,
  coverage_names int not null,
  coverage_winner int not null,
  primary key (company_id, fiscal_year, method, method_type, project_province)
);

-- What each decided project cost, whoever won it, natural persons included; null when unknown.
create table project_spending (
  project_id text primary key,
  department_id int not null,
  fiscal_year smallint,
  project_province smallint,
  method smallint not null,
  method_type smallint not null,
  spent_satang bigint
);
create index project_spending_by_department on project_spending (department_id);

-- Departments whose projects changed since their spending was counted.
create table stale_departments (department_id int primary key);

-- What each department spent: the whole that a company's share is of. Fiscal year and province 0 are unknown.
create table department_spending (
  department_id int not null references departments (id),
  fiscal_year smallint not null,
  method smallint not null,
  method_type smallint not null,
  project_province smallint not null,
  projects int not null,
  spent_satang bigint,
  primary key (department_id, fiscal_year, method, method_type, project_province)
);

-- The version of the companies in which a load's projects are counted; 0: not yet.
alter table loads add column companies_version smallint not null default 0;
