import { goods, type Template } from './templates.ts'

/** Studies, research, designs and supervision: what the consultant and design methods buy. */
export const CONSULTING: readonly Template[] = [
  ...goods({
    trade: 'consulting',
    type: 'consult',
    for: 'ministry:13 laboratory:4 town:0.5 pao:0.7 bangkok:1.5 municipality:0.2 university:2 faculty:0.6 public_works:3 irrigation:1.5 water:4 tourism:4 airport:4 utility:2.5 rural_road:1 highway:1 office:1',
    days: [120, 540],
    rows: `
ศึกษาความเหมาะสมและออกแบบเบื้องต้นระบบป้องกันน้ำท่วมพื้นที่ชุมชน|งาน|3M-28M|1||
จัดทำแผนแม่บทการพัฒนาเมืองอัจฉริยะ|งาน|1.5M-14M|1||
ศึกษาและประเมินผลกระทบสิ่งแวดล้อม (EIA)|งาน|2M-24M|1||
ติดตามและประเมินผลการดำเนินงานตามแผนปฏิบัติราชการ|งาน|500k-4M|1||bare
สำรวจความพึงพอใจของผู้รับบริการ|งาน|120k-900k|1||bare
จัดทำสถาปัตยกรรมองค์กรและแผนปฏิบัติการดิจิทัล|งาน|900k-9M|1||
วิจัยและพัฒนาเพื่อเพิ่มมูลค่าสินค้าเกษตรและอาหารพื้นถิ่น|งาน|700k-6M|1||
ให้คำปรึกษาการขอรับรองมาตรฐานความมั่นคงปลอดภัยสารสนเทศ ISO/IEC 27001|งาน|600k-4M|1||bare
จัดทำผังเมืองรวมและผังพื้นที่เฉพาะ|ผัง|1.2M-6M|1-3||
ศึกษาแนวทางการใช้พลังงานทดแทนและลดก๊าซเรือนกระจก|งาน|900k-9M|1||`,
  }),
  ...goods({
    trade: 'consulting',
    type: 'design',
    for: 'tambon:0.35 municipality:0.35 town:0.6 pao:0.6 university:2.5 hospital:0.6 public_works:1 ministry:0.8 irrigation:1.2 airport:3 bangkok:0.8',
    days: [60, 240],
    rows: `
อาคารสำนักงานและภูมิทัศน์โดยรอบ|งาน|180k-9M|1||bare
อาคารเรียนรวมและหอประชุม|งาน|450k-8M|1||bare
สะพานและโครงข่ายถนนเชื่อมต่อชุมชน|งาน|150k-12M|1||bare
สวนสาธารณะและพื้นที่นันทนาการริมน้ำ|งาน|300k-6M|1||bare
ระบบระบายน้ำและสถานีสูบน้ำ|งาน|300k-16M|1||bare`,
  }),
  ...goods({
    trade: 'consulting',
    type: 'supervise',
    for: 'tambon:0.2 municipality:0.25 town:0.6 pao:0.5 university:2 hospital:0.5 public_works:0.8 ministry:0.5 bangkok:0.8 airport:2',
    days: [180, 720],
    rows: `
ก่อสร้างอาคารสำนักงานหลังใหม่|งาน|300k-12M|1||bare
ก่อสร้างเขื่อนป้องกันตลิ่งและระบบระบายน้ำ|งาน|300k-18M|1||bare
ก่อสร้างอาคารผู้ป่วยและระบบประกอบอาคาร|งาน|500k-14M|1||bare
ก่อสร้างถนนและสะพานเชื่อมต่อโครงข่าย|งาน|300k-16M|1||bare`,
  }),
  ...goods({
    trade: 'consulting',
    type: 'design_supervise',
    for: 'tambon:0.1 municipality:0.12 town:0.3 university:1 hospital:0.2 public_works:0.4 bangkok:0.4',
    days: [240, 720],
    rows: `
ก่อสร้างอาคารอเนกประสงค์และลานกิจกรรมชุมชน|งาน|300k-8M|1||bare
ก่อสร้างอาคารจอดรถและระบบสัญจรภายใน|งาน|500k-10M|1||bare
ปรับปรุงอาคารเดิมให้รองรับแผ่นดินไหวและอารยสถาปัตย์|งาน|400k-7M|1||bare`,
  }),
]
