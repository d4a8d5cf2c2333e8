//! Broken-down time: the proleptic Gregorian calendar, UTC.

/// Stands for a field that was never set.
pub const UNKNOWN: i32 = i32::MIN;

const DAY: i64 = 86_400;
const DAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The fields of a `struct tm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calendar {
    second: i32,
    minute: i32,
    hour: i32,
    day: i32,
    /// From 0.
    month: i32,
    /// Since 1900.
    year: i32,
    /// From Sunday.
    weekday: i32,
    /// Of the year, from 0.
    yearday: i32,
    daylight: i32,
}

/// Why `strftime` cannot do what it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unformatted {
    /// A field that was never set is needed.
    Undefined,
    Unknown(u8),
}

/// Days from 1970-01-01 to the given day; months may be out of range.
fn days_to(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = (year + month.div_euclid(12), month.rem_euclid(12));
    // Years begin in March, so that the leap day is the last one.
    let year = if month < 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let since_march = (month + 10) % 12;
    let of_year = (153 * since_march + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month from 0, and day of a number of days since 1970-01-01.
fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let since_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * since_march + 2) / 5 + 1;
    let month = (since_march + 2) % 12;
    (era * 400 + year + (month < 2) as i64, month, day)
}

impl Calendar {
    /// `None` if the year does not fit.
    pub fn at(instant: i64) -> Option<Calendar> {
        let (days, rest) = (instant.div_euclid(DAY), instant.rem_euclid(DAY));
        let (year, month, day) = date_of(days);
        Some(Calendar {
            second: (rest % 60) as i32,
            minute: (rest / 60 % 60) as i32,
            hour: (rest / 3600) as i32,
            day: day as i32,
            month: month as i32,
            year: i32::try_from(year - 1900).ok()?,
            weekday: (days + 4).rem_euclid(7) as i32,
            yearday: (days - days_to(year, 0, 1)) as i32,
            daylight: 0,
        })
    }

    pub fn from_fields(fields: [i32; 9]) -> Calendar {
        let [second, minute, hour, day, month, year, weekday, yearday, daylight] = fields;
        Calendar { second, minute, hour, day, month, year, weekday, yearday, daylight }
    }

    pub fn fields(&self) -> [i32; 9] {
        [
            self.second,
            self.minute,
            self.hour,
            self.day,
            self.month,
            self.year,
            self.weekday,
            self.yearday,
            self.daylight,
        ]
    }

    /// Seconds since 1970; fields may be out of their ranges.
    pub fn instant(&self) -> i64 {
        let days = days_to(self.year as i64 + 1900, self.month as i64, 1) + self.day as i64 - 1;
        days * DAY + self.hour as i64 * 3600 + self.minute as i64 * 60 + self.second as i64
    }

    /// As `asctime` writes it.
    pub fn text(&self) -> String {
        let name = |names: &[&str], index: i32| {
            let name = usize::try_from(index).ok().and_then(|index| names.get(index));
            name.map_or("???".to_string(), |name| name[..3].to_string())
        };
        format!(
            "{} {} {:2} {:02}:{:02}:{:02} {}\n",
            name(&DAYS, self.weekday),
            name(&MONTHS, self.month),
            self.day,
            self.hour,
            self.minute,
            self.second,
            self.year as i64 + 1900
        )
    }

    /// As `strftime` writes it in the C locale.
    pub fn format(&self, format: &[u8], zone: &str) -> Result<Vec<u8>, Unformatted> {
        let mut out = Vec::new();
        let mut bytes = format.iter();
        while let Some(&byte) = bytes.next() {
            if byte != b'%' {
                out.push(byte);
                continue;
            }
            let mut directive = bytes.next();
            // Other representations do not exist in the C locale.
            if matches!(directive, Some(b'E' | b'O')) {
                directive = bytes.next();
            }
            match directive {
                Some(&directive) => out.extend(self.directive(directive, zone)?.into_bytes()),
                None => out.push(b'%'),
            }
        }
        Ok(out)
    }

    fn directive(&self, directive: u8, zone: &str) -> Result<String, Unformatted> {
        let year = self.year as i64 + 1900;
        let known = |field: i32| {
            if field == UNKNOWN { Err(Unformatted::Undefined) } else { Ok(field) }
        };
        let two = |field: i32| known(field).map(|field| format!("{field:02}"));
        let name = |names: &[&'static str], field: i32| {
            let index = known(field)?;
            let name = usize::try_from(index).ok().and_then(|index| names.get(index));
            Ok(name.copied().unwrap_or("?"))
        };
        let short = |name: &'static str| name[..name.len().min(3)].to_string();
        let all = |parts: &str| {
            let text = self.format(parts.as_bytes(), zone)?;
            Ok(String::from_utf8_lossy(&text).into_owned())
        };
        let twelve = |hour: i32| if hour % 12 == 0 { 12 } else { hour % 12 };
        match directive {
            b'a' => name(&DAYS, self.weekday).map(short),
            b'A' => name(&DAYS, self.weekday).map(str::to_string),
            b'b' | b'h' => name(&MONTHS, self.month).map(short),
            b'B' => name(&MONTHS, self.month).map(str::to_string),
            b'c' => all("%a %b %e %H:%M:%S %Y"),
            b'C' => known(self.year).map(|_| format!("{:02}", year.div_euclid(100))),
            b'd' => two(self.day),
            b'D' | b'x' => all("%m/%d/%y"),
            b'e' => known(self.day).map(|day| format!("{day:2}")),
            b'F' => all("%Y-%m-%d"),
            b'g' => self.week_year().map(|(year, _)| format!("{:02}", year.rem_euclid(100))),
            b'G' => self.week_year().map(|(year, _)| year.to_string()),
            b'H' => two(self.hour),
            b'I' => known(self.hour).map(|hour| format!("{:02}", twelve(hour))),
            b'j' => known(self.yearday).map(|day| format!("{:03}", day + 1)),
            b'k' => known(self.hour).map(|hour| format!("{hour:2}")),
            b'l' => known(self.hour).map(|hour| format!("{:2}", twelve(hour))),
            b'm' => known(self.month).map(|month| format!("{:02}", month + 1)),
            b'M' => two(self.minute),
            b'n' => Ok("\n".to_string()),
            b'p' => known(self.hour).map(|h| if h > 11 { "PM" } else { "AM" }.to_string()),
            b'P' => known(self.hour).map(|h| if h > 11 { "pm" } else { "am" }.to_string()),
            b'r' => all("%I:%M:%S %p"),
            b'R' => all("%H:%M"),
            b's' => {
                self.fields()[..6].iter().try_for_each(|&field| known(field).map(|_| ()))?;
                Ok(self.instant().to_string())
            }
            b'S' => two(self.second),
            b't' => Ok("\t".to_string()),
            b'T' | b'X' => all("%H:%M:%S"),
            b'u' => known(self.weekday).map(|day| ((day + 6) % 7 + 1).to_string()),
            b'U' => self.week(self.weekday),
            b'V' => self.week_year().map(|(_, week)| format!("{week:02}")),
            b'w' => known(self.weekday).map(|day| day.to_string()),
            b'W' => self.week((known(self.weekday)? + 6) % 7),
            b'y' => known(self.year).map(|_| format!("{:02}", year.rem_euclid(100))),
            b'Y' => known(self.year).map(|_| year.to_string()),
            b'z' => Ok("+0000".to_string()),
            b'Z' => Ok(zone.to_string()),
            b'%' => Ok("%".to_string()),
            _ => Err(Unformatted::Unknown(directive)),
        }
    }

    /// The week of the year, if `weekday` counts from its first day.
    fn week(&self, weekday: i32) -> Result<String, Unformatted> {
        if self.weekday == UNKNOWN || self.yearday == UNKNOWN {
            return Err(Unformatted::Undefined);
        }
        Ok(format!("{:02}", (self.yearday + 7 - weekday) / 7))
    }

    /// Year and week by ISO 8601: a week belongs to the year of its Thursday.
    fn week_year(&self) -> Result<(i64, i64), Unformatted> {
        if [self.weekday, self.yearday, self.year].contains(&UNKNOWN) {
            return Err(Unformatted::Undefined);
        }
        let year = self.year as i64 + 1900;
        let monday_based = (self.weekday as i64 + 6) % 7;
        let thursday = days_to(year, 0, 1) + self.yearday as i64 - monday_based + 3;
        let (week_year, _, _) = date_of(thursday);
        Ok((week_year, (thursday - days_to(week_year, 0, 1)) / 7 + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_lead_back() {
        for instant in (-4_000_000_000i64..4_000_000_000).step_by(7_654_321) {
            let calendar = Calendar::at(instant).unwrap();
            assert_eq!(calendar.instant(), instant);
        }
        assert_eq!(Calendar::at(1_000_000_000).unwrap().text(), "Sun Sep  9 01:46:40 2001\n");
        assert_eq!(
            Calendar::at(0).unwrap().format(b"%F %T %j %V", "UTC").unwrap(),
            b"1970-01-01 00:00:00 001 01"
        );
    }
}
