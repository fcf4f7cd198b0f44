# About `count` lines of `total`, spread evenly: the same ones each time.
BEGIN { if (count == 0) exit; step = total > count ? total / count : 1; next_one = step / 2 }
NR >= next_one { print; next_one += step }
