-- Local bodies of one name in several provinces are several agencies (contract/company/agency-name.ts), so companies that worked for them won from more
-- agencies than `company_figures.departments` says. The next count of the companies corrects it; until then the previous version's figure stands.
update companies c set is_stale = true
where not c.is_stale and exists (
  select from company_projects f
  join departments d on d.id = f.department_id
  where f.company_id = c.id and d.name ~ '^(องค์การบริหารส่วน|เทศบาล|อบต|อบจ|ศูนย์พัฒนาเด็ก|โรงเรียน)'
    and exists (select from departments o where o.name = d.name and o.province <> d.province)
);
