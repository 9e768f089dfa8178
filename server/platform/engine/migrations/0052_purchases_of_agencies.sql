-- The page of an agency counts the projects of its purchasing units: without this it looked at every project (decision 0085).
create index projects_by_department on projects (department_id, fiscal_year);
-- By the name that projects bear; the directory has 64,114 codes.
create index agency_codes_by_name on agency_codes (name);
