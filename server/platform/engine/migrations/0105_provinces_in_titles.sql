-- Titles name their province in many spellings (จังหวัดเเพร่). The province of a project is read from the title's search form now; this corrects the projects
-- whose title was not understood before, 6 of 1,386,362 of fiscal year 2568. A province that the title and the unit do not explain has another source and stays.
create temporary table moved_projects on commit drop as
with provinces (code, name) as (values
    (10, 'กรุงเทพมหานคร'), (11, 'สมุทรปราการ'), (12, 'นนทบุรี'), (13, 'ปทุมธานี'), (14, 'พระนครศรีอยุธยา'), (15, 'อ่างทอง'),
    (16, 'ลพบุรี'), (17, 'สิงห์บุรี'), (18, 'ชัยนาท'), (19, 'สระบุรี'), (20, 'ชลบุรี'), (21, 'ระยอง'),
    (22, 'จันทบุรี'), (23, 'ตราด'), (24, 'ฉะเชิงเทรา'), (25, 'ปราจีนบุรี'), (26, 'นครนายก'), (27, 'สระแก้ว'),
    (30, 'นครราชสีมา'), (31, 'บุรีรัมย์'), (32, 'สุรินทร์'), (33, 'ศรีสะเกษ'), (34, 'อุบลราชธานี'), (35, 'ยโสธร'),
    (36, 'ชัยภูมิ'), (37, 'อำนาจเจริญ'), (39, 'หนองบัวลำภู'), (40, 'ขอนแก่น'), (41, 'อุดรธานี'), (42, 'เลย'),
    (43, 'หนองคาย'), (44, 'มหาสารคาม'), (45, 'ร้อยเอ็ด'), (46, 'กาฬสินธุ์'), (47, 'สกลนคร'), (48, 'นครพนม'),
    (49, 'มุกดาหาร'), (50, 'เชียงใหม่'), (51, 'ลำพูน'), (52, 'ลำปาง'), (53, 'อุตรดิตถ์'), (54, 'แพร่'),
    (55, 'น่าน'), (56, 'พะเยา'), (57, 'เชียงราย'), (58, 'แม่ฮ่องสอน'), (60, 'นครสวรรค์'), (61, 'อุทัยธานี'),
    (62, 'กำแพงเพชร'), (63, 'ตาก'), (64, 'สุโขทัย'), (65, 'พิษณุโลก'), (66, 'พิจิตร'), (67, 'เพชรบูรณ์'),
    (70, 'ราชบุรี'), (71, 'กาญจนบุรี'), (72, 'สุพรรณบุรี'), (73, 'นครปฐม'), (74, 'สมุทรสาคร'), (75, 'สมุทรสงคราม'),
    (76, 'เพชรบุรี'), (77, 'ประจวบคีรีขันธ์'), (80, 'นครศรีธรรมราช'), (81, 'กระบี่'), (82, 'พังงา'), (83, 'ภูเก็ต'),
    (84, 'สุราษฎร์ธานี'), (85, 'ระนอง'), (86, 'ชุมพร'), (90, 'สงขลา'), (91, 'สตูล'), (92, 'ตรัง'),
    (93, 'พัทลุง'), (94, 'ปัตตานี'), (95, 'ยะลา'), (96, 'นราธิวาส'), (38, 'บึงกาฬ')
), pattern as materialized (
  select '(?:จังหวัด|จ\.)\s*(' || string_agg(name, '|') || ')' as mention from provinces
), titled as materialized (
  select p.project_id, p.name, p.project_province as stored, d.province as unit,
    (select array_agg(distinct m[1]) from regexp_matches(p.name_search, pattern.mention, 'g') m) as named
  from projects p join departments d on d.id = p.department_id cross join pattern
  where strpos(p.name_search, 'จังหวัด') > 0 or strpos(p.name_search, 'จ.') > 0
), differing as materialized (
  select t.project_id, t.stored, t.unit, coalesce(a.code, t.unit) as province,
    (select array_agg(distinct m[1]) from pattern cross join lateral regexp_matches(t.name, pattern.mention, 'g') m) as named_before
  from titled t left join provinces a on cardinality(t.named) = 1 and a.name = t.named[1]
  where coalesce(a.code, t.unit) is distinct from t.stored
)
select x.project_id, x.province::smallint as province
from differing x left join provinces b on cardinality(x.named_before) = 1 and b.name = x.named_before[1]
where x.stored is not distinct from coalesce(b.code, x.unit);

update projects p set project_province = m.province from moved_projects m where p.project_id = m.project_id;
update project_filters f set project_province = m.province from moved_projects m where f.project_id = m.project_id;
update project_spending s set project_province = m.province from moved_projects m where s.project_id = m.project_id;
update company_projects c set project_province = m.province from moved_projects m where c.project_id = m.project_id;
-- Their sums are counted again after the next load.
update companies c set is_stale = true
where c.id in (select f.company_id from company_projects f join moved_projects m on m.project_id = f.project_id);
insert into stale_departments (department_id)
select distinct p.department_id from projects p join moved_projects m on m.project_id = p.project_id on conflict do nothing;
